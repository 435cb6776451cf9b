import { deleteApiKeys, dropActorsOfApiKeys, dropRolesOfApiKeys } from '@waybill/access/api-key';
import { forgetFirstPasswordCodes } from '@waybill/access/first-password-codes';
import { createRefreshTokens } from '@waybill/access/refresh-tokens';
import type { FactorHolders } from '@waybill/access/second-factors/factor-holders';
import { deleteSecondFactorsOf } from '@waybill/access/second-factors/second-factors';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Transaction } from '@waybill/postgres/database';
import { deleteSecretsOf } from '@waybill/secrets/manage-secrets';
import type { Change } from '../apply/change.ts';
import { portionsOf } from '../apply/entity-rows.ts';
import { queryRows } from '../queries/query-rows.ts';
import { type AppliedBy, auditChanges } from './audit-changes.ts';
import { listenToTriggers } from './listen-to-triggers.ts';

/** Completes a transaction that changed the configuration: ends logins, listens to the triggers, and audits each change. */
export async function settleChanges(trx: Transaction, changes: readonly Change[], by: AppliedBy): Promise<void> {
  await endLogins(trx, changes);
  for (const some of portionsOf(changes)) await endReach(trx, some, by);
  for (const some of portionsOf(changes)) await deleteSecondFactors(trx, some);
  for (const some of portionsOf(changes)) await forgetCodes(trx, some);
  await listenToTriggers(trx);
  for (const some of portionsOf(changes)) await appendToOutbox(trx, auditChanges(some, by));
}

/** Ends the logins of manager users who were removed or got another password, and the API keys of the former. */
async function endLogins(trx: Transaction, changes: readonly Change[]): Promise<void> {
  const refreshTokens = createRefreshTokens({ db: trx });
  for (const { entityType, entityName, change, fields } of changes) {
    const ends = change === 'deleted' || fields.includes('password');
    if (entityType !== 'Internal User' || !ends) continue;
    const userName = userNameSchema.parse(entityName);
    await refreshTokens.revokeAll(userName);
    // A new user of the same name has none of them.
    if (change === 'deleted') await deleteApiKeys(trx, userName);
  }
}

/**
 * Ends what API keys have of an actor or a role that was deleted, and what they would have of one that has got its name. Secrets end
 * in the same way: they belong to the name of an actor.
 */
async function endReach(trx: Transaction, changes: readonly Change[], by: AppliedBy): Promise<void> {
  const changed = changes.filter(({ change }) => change !== 'modified');
  const namesOf = (type: 'Actor' | 'Role'): string[] =>
    changed.filter(({ entityType }) => entityType === type).map(({ entityName }) => entityName);
  const [actors, roles] = [namesOf('Actor'), namesOf('Role')];
  if (actors.length > 0) {
    await dropActorsOfApiKeys(trx, actors);
    await deleteSecretsOf(trx, actors, by);
  }
  if (roles.length > 0) await dropRolesOfApiKeys(trx, roles);
}

/**
 * Who was allowed to have the code for a first password of a user with other rights need not be allowed to become the user with these:
 * the codes of users end whose roles have changed.
 */
async function forgetCodes(trx: Transaction, changes: readonly Change[]): Promise<void> {
  const users = changes.filter(
    ({ entityType, change, fields }) =>
      entityType === 'Internal User' && (change !== 'modified' || fields.includes('roles')),
  );
  const roles = changes.filter(({ entityType }) => entityType === 'Role').map(({ entityName }) => entityName);
  const holding = await queryRows<{ name: string }>(
    trx,
    `SELECT name FROM directory.manager_users
      WHERE roles && ARRAY(SELECT jsonb_array_elements_text(CAST(:roles AS jsonb)))`,
    { roles: JSON.stringify(roles) },
  );
  const names = [...users.map(({ entityName }) => entityName), ...holding.map(({ name }) => name)];
  if (names.length > 0) await forgetFirstPasswordCodes(trx, names);
}

const holders: Readonly<Record<string, FactorHolders>> = { 'Internal User': 'managers', 'External User': 'partners' };

/**
 * Second factors are kept by the name of the user, and go with the user: a new user of the same name is another person, and
 * has none.
 */
async function deleteSecondFactors(trx: Transaction, changes: readonly Change[]): Promise<void> {
  const changed = changes.filter(({ change }) => change !== 'modified');
  for (const [type, of] of Object.entries(holders)) {
    const names = changed.filter(({ entityType }) => entityType === type).map(({ entityName }) => entityName);
    if (names.length > 0) await deleteSecondFactorsOf(trx, of, names);
  }
}
