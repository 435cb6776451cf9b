import type {
  ActorConfiguration,
  PlatformConfiguration,
} from '@waybill/contracts/configuration/platform-configuration';
import type { Transaction } from '@waybill/postgres/database';
import { commentOfPublicKeyLine, parsePublicKeyLine } from '../users/public-key-line.ts';
import type { AppliedActor } from './apply-actors.ts';
import type { Change } from './change.ts';
import type { PasswordHashes } from './prepare-password-hashes.ts';
import { reconcileEntities, type WantedEntity } from './reconcile-entities.ts';

/**
 * Applies users of the management interfaces. A user without a password in the configuration keeps a password that was
 * set otherwise.
 */
export async function applyManagerUsers(
  trx: Transaction,
  { managerUsers }: PlatformConfiguration,
  hashes: PasswordHashes['manager'],
): Promise<readonly Change[]> {
  const wanted = managerUsers.map(({ name, roles, enabled }) => ({
    name,
    definition: { name, roles, enabled },
    columns: { roles, enabled },
    ...passwordHashOf(hashes.get(name)),
  }));
  const { changes } = await reconcileEntities(trx, { entityType: 'Internal User', table: 'manager_users' }, wanted);
  return changes;
}

function passwordHashOf(passwordHash: string | undefined): Pick<WantedEntity, 'passwordHash'> {
  return passwordHash === undefined ? {} : { passwordHash };
}

/** Applies users of actors. */
export async function applyPartnerUsers(
  trx: Transaction,
  actors: readonly AppliedActor[],
  hashes: PasswordHashes['partner'],
): Promise<readonly Change[]> {
  const wanted = actors.flatMap(({ id, actor }) =>
    actor.users.map((user) => wantedPartner(user, { id, name: actor.name }, hashes.get(user.name) ?? null)),
  );
  const { changes } = await reconcileEntities(trx, { entityType: 'External User', table: 'partner_users' }, wanted);
  return changes;
}

function wantedPartner(
  {
    name,
    publicKeys,
    authentication,
    legacyAlgorithms,
    groups,
    enabled,
    maxSessions,
  }: ActorConfiguration['users'][number],
  actor: { id: string; name: string },
  passwordHash: string | null,
): WantedEntity {
  const keys = publicKeys.flatMap(userKeysOf);
  return {
    name,
    definition: {
      name,
      actor: actor.name,
      publicKeys: keys,
      authentication,
      legacyAlgorithms,
      groups,
      enabled,
      maxSessions,
    },
    columns: { actor_id: actor.id, groups, enabled, max_sessions: maxSessions ?? null },
    passwordHash,
  };
}

function userKeysOf({ key, ...more }: ActorConfiguration['users'][number]['publicKeys'][number]): object[] {
  const line = parsePublicKeyLine(key);
  return line === undefined ? [] : [{ key: line, comment: commentOfPublicKeyLine(key), ...more }];
}
