import type {
  ActorConfiguration,
  PlatformConfiguration,
} from '@waybill/contracts/configuration/platform-configuration';
import { commentOfPublicKeyLine, parsePublicKeyLine } from '../users/public-key-line.ts';
import type { AppliedActor } from './apply-actors.ts';
import type { Change } from './change.ts';
import type { PasswordHashes } from './prepare-password-hashes.ts';
import { type Applying, reconcileEntities, type WantedEntity } from './reconcile-entities.ts';

/** Applies the roles of manager users besides those that are built in. */
export async function applyRoles(applying: Applying, { roles }: PlatformConfiguration): Promise<readonly Change[]> {
  const wanted = roles.map((role) => ({ name: role.name, definition: role }));
  const { changes } = await reconcileEntities(applying, { entityType: 'Role', table: 'roles' }, wanted);
  return changes;
}

/**
 * Applies users of the management interfaces. A user without a password in the configuration keeps a password that was
 * set otherwise.
 */
export async function applyManagerUsers(
  applying: Applying,
  { managerUsers }: PlatformConfiguration,
  hashes: PasswordHashes['manager'],
): Promise<readonly Change[]> {
  const wanted = managerUsers.map(({ password: _password, ...definition }) => {
    const { name, roles, enabled, oidc } = definition;
    const columns = { roles, enabled, oidc_issuer: oidc?.issuer ?? null, oidc_subject: oidc?.subject ?? null };
    return { name, definition, columns, ...passwordHashOf(hashes.get(name)) };
  });
  const { changes } = await reconcileEntities(
    applying,
    { entityType: 'Internal User', table: 'manager_users' },
    wanted,
  );
  return changes;
}

function passwordHashOf(passwordHash: string | undefined): Pick<WantedEntity, 'passwordHash'> {
  return passwordHash === undefined ? {} : { passwordHash };
}

/** Applies users of actors. */
export async function applyPartnerUsers(
  applying: Applying,
  actors: readonly AppliedActor[],
  hashes: PasswordHashes['partner'],
): Promise<readonly Change[]> {
  const wanted = actors.flatMap(({ id, actor }) =>
    actor.users.map((user) => wantedPartner(user, { id, name: actor.name }, hashes.get(user.name))),
  );
  const { changes } = await reconcileEntities(
    applying,
    { entityType: 'External User', table: 'partner_users' },
    wanted,
  );
  return changes;
}

function wantedPartner(
  { password: _password, ...settings }: ActorConfiguration['users'][number],
  actor: { id: string; name: string },
  passwordHash: string | null | undefined,
): WantedEntity {
  const { name, groups, enabled, maxSessions } = settings;
  return {
    name,
    definition: { ...settings, actor: actor.name, publicKeys: settings.publicKeys.flatMap(userKeysOf) },
    columns: { actor_id: actor.id, groups, enabled, max_sessions: maxSessions ?? null },
    ...(passwordHash === undefined ? {} : { passwordHash }),
  };
}

function userKeysOf({ key, ...more }: ActorConfiguration['users'][number]['publicKeys'][number]): object[] {
  const line = parsePublicKeyLine(key);
  return line === undefined ? [] : [{ key: line, comment: commentOfPublicKeyLine(key), ...more }];
}
