import type {
  ActorConfiguration,
  PlatformConfiguration,
} from '@waybill/contracts/configuration/platform-configuration';
import { commentOfPublicKeyLine, parsePublicKeyLine } from '../users/public-key-line.ts';
import type { AppliedActor } from './apply-actors.ts';
import type { Change } from './change.ts';
import type { PasswordHashes } from './prepare-password-hashes.ts';
import { type Applying, reconcileEntities, type WantedEntity } from './reconcile-entities.ts';

/**
 * Applies users of the management interfaces. A user without a password in the configuration keeps a password that was
 * set otherwise.
 */
export async function applyManagerUsers(
  applying: Applying,
  { managerUsers }: PlatformConfiguration,
  hashes: PasswordHashes['manager'],
): Promise<readonly Change[]> {
  const wanted = managerUsers.map(({ name, roles, enabled, passwordChangeRequired }) => ({
    name,
    definition: { name, roles, enabled, passwordChangeRequired },
    columns: { roles, enabled },
    ...passwordHashOf(hashes.get(name)),
  }));
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
  {
    name,
    passwordChangeRequired,
    publicKeys,
    authentication,
    legacyAlgorithms,
    groups,
    enabled,
    maxSessions,
  }: ActorConfiguration['users'][number],
  actor: { id: string; name: string },
  passwordHash: string | null | undefined,
): WantedEntity {
  const keys = publicKeys.flatMap(userKeysOf);
  return {
    name,
    definition: {
      name,
      actor: actor.name,
      passwordChangeRequired,
      publicKeys: keys,
      authentication,
      legacyAlgorithms,
      groups,
      enabled,
      maxSessions,
    },
    columns: { actor_id: actor.id, groups, enabled, max_sessions: maxSessions ?? null },
    ...(passwordHash === undefined ? {} : { passwordHash }),
  };
}

function userKeysOf({ key, ...more }: ActorConfiguration['users'][number]['publicKeys'][number]): object[] {
  const line = parsePublicKeyLine(key);
  return line === undefined ? [] : [{ key: line, comment: commentOfPublicKeyLine(key), ...more }];
}
