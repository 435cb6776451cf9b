import type { EntityOwner } from '@waybill/contracts/configuration/configuration-source';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database, Transaction } from '@waybill/postgres/database';
import { lockConfiguration } from '../apply/reconcile-configuration.ts';
import type { AppliedBy } from '../settle/audit-changes.ts';
import { requireSource } from '../sources/applied-source.ts';
import { recordDivergence } from '../sources/divergence.ts';
import type { EntityTarget } from '../sources/entity-target.ts';
import { readEntity, setOwner, type StoredEntity } from '../sources/stored-entities.ts';
import { isAmong, wrongVersion } from './assert-versions.ts';
import { inChange } from './change-place.ts';
import { ownedError } from './owned-error.ts';
import { unknownEntity } from './unknown-entity.ts';
import type { EntityWrite } from './write-in-transaction.ts';

/** An entity that changes its owner, if it has one of the versions of `ifMatch`. */
export type PassedEntity = EntityTarget & Pick<EntityWrite, 'ifMatch' | 'place'>;

/** Entities that change their owner. */
export interface OwnerChange {
  readonly db: Database;
  readonly source: string;
  readonly targets: readonly PassedEntity[];
  readonly reason: string;
  readonly by: Omit<AppliedBy, 'filled'>;
}

/**
 * Lets a source take entities over from the API, all or none. Its next document has to describe them: what it leaves out is
 * deleted. @throws CodedError `entity_unknown`, also for a source that has not applied anything; `precondition_failed`, `entity_owned` for what
 * another source has
 */
export async function adoptEntities(change: OwnerChange): Promise<void> {
  await changeOwner(change, { from: null, to: change.source, fact: 'entityAdopted' });
}

/**
 * Lets the API take entities over from a source, all or none. The next document of the source must not describe them.
 * @throws CodedError as `adoptEntities` does
 */
export async function releaseEntities(change: OwnerChange): Promise<void> {
  await changeOwner(change, { from: change.source, to: null, fact: 'entityReleased' });
}

interface Passing {
  readonly from: EntityOwner;
  readonly to: EntityOwner;
  readonly fact: 'entityAdopted' | 'entityReleased';
}

async function changeOwner({ db, source, targets, reason, by }: OwnerChange, passing: Passing): Promise<void> {
  await db.transaction(async (trx) => {
    await lockConfiguration(trx);
    for (const target of targets) {
      const entity = await inChange(target.place, () => readPassing(trx, target, passing));
      if (!entity) continue;
      await setOwner(trx, entity, passing.to);
      const cause = passing.fact === 'entityAdopted' ? 'adopted' : 'released';
      await recordDivergence(trx, entity, { source, cause, reason, changedBy: by.user });
      await appendToOutbox(trx, [
        { topic: 'audit-event', payload: passingEvent(entity, { source, reason, by }, passing) },
      ]);
    }
    await requireSource(trx, source, 'Apply its file first: `source` alone is enough');
  });
}

/** The entity that changes its owner; `undefined`: it has passed already, and repeating the request changes nothing. */
async function readPassing(
  trx: Transaction,
  { ifMatch, ...target }: PassedEntity,
  passing: Passing,
): Promise<StoredEntity | undefined> {
  const entity = await readEntity(trx, target);
  if (!entity) throw unknownEntity(target);
  if (entity.source === passing.to) return undefined;
  if (ifMatch !== undefined && !isAmong(entity, ifMatch)) throw wrongVersion(target, entity);
  if (entity.source !== passing.from) throw await refusalOf(trx, entity, passing);
  return entity;
}

async function refusalOf(trx: Transaction, entity: StoredEntity, { from }: Passing): Promise<CodedError> {
  if (entity.source !== null) return await ownedError(trx, entity);
  const detail = `${entity.entityType} ${entity.name} belongs to the API, not to the source ${from ?? ''}`;
  return new CodedError('entity_owned', { detail });
}

function passingEvent(
  { entityType, name, id }: StoredEntity,
  { source, reason, by }: Pick<OwnerChange, 'source' | 'reason' | 'by'>,
  { fact }: Passing,
) {
  const { user, nodeId, managerName } = by;
  const entity = { entityType, entityName: name, entityId: id };
  const context = { reason: reason === '' ? undefined : reason };
  return composeAuditEvent(fact, { user, nodeId, managerName, ...entity, context, names: { source } });
}
