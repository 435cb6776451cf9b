import type { EntityOwner } from '@waybill/contracts/configuration/configuration-source';
import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import { listenToEverything } from '@waybill/outbox/listen-to';
import type { Database, Queryable, Transaction } from '@waybill/postgres/database';
import type { FilePorts } from '../apply/apply-systems.ts';
import type { Change } from '../apply/change.ts';
import { lockConfiguration, reconcileConfiguration } from '../apply/reconcile-configuration.ts';
import { faultsAmong } from '../checks/check-document.ts';
import type { AppliedBy } from '../settle/audit-changes.ts';
import { settleChanges } from '../settle/settle-changes.ts';
import { recordDivergence } from '../sources/divergence.ts';
import type { EntityTarget } from '../sources/entity-target.ts';
import { readEntity, type StoredEntity } from '../sources/stored-entities.ts';
import { textsIn } from '../sources/texts-in.ts';
import { assertMayWrite, type WriterRights } from './assert-may-write.ts';
import { versionOf } from './entity-version.ts';
import { readNeighbourhood } from './neighbourhood.ts';
import { onlyEntity, type OnlyConfiguration, refuseSettings, withoutEntity } from './only-entity.ts';
import { ownedError } from './owned-error.ts';
import { unknownEntity } from './unknown-entity.ts';
import { assertPasswords, hashesOf, hashOnce } from './written-passwords.ts';

/** What writing one entity needs. */
export interface EntityWriter {
  readonly db: Database;
  readonly files: FilePorts;
  readonly by: Omit<AppliedBy, 'filled'>;
  /** What the writer may do. */
  readonly rights: WriterRights;
}

/** The conditions of a request on what is stored now (RFC 9110 section 13). */
export interface WriteConditions {
  /** Versions of which one has to be the stored one; `*`: any. */
  readonly ifMatch?: readonly string[] | undefined;
  /** The entity must not exist. */
  readonly ifAbsent?: boolean;
  /** Why it is written in an emergency although a source owns it, and keeps it: otherwise that is refused. */
  readonly forcedFor?: string | undefined;
}

/** An entity before and after it was written, if it existed. */
export interface WrittenEntity {
  readonly change: Change | undefined;
  readonly entity: StoredEntity | undefined;
}

/** The settings of an entity as they are to be, from those that are stored. */
export type NewSettings = (stored: StoredEntity | undefined) => object;

/**
 * Creates or replaces one entity for the API. What it refers to has to exist, and nothing that refers to it may break.
 * @throws CodedError `not_permitted`, `validation_failed`, `entity_unknown`, `entity_exists`, `entity_owned`, `entity_in_use`, `precondition_failed`
 */
export async function putEntity(
  writer: EntityWriter,
  target: EntityTarget,
  { settings, ...conditions }: WriteConditions & { readonly settings: NewSettings },
): Promise<WrittenEntity> {
  return await write(writer, target, conditions, (stored) => {
    assertActor(target, stored);
    return onlyEntity(target, settings(stored));
  });
}

/**
 * Deletes one entity of the API.
 * @throws CodedError `not_permitted`, `entity_unknown`, `entity_owned`, `entity_in_use`, `precondition_failed`; `configuration_invalid` for a VFS with files
 */
export async function deleteEntity(
  writer: EntityWriter,
  target: EntityTarget,
  conditions: WriteConditions,
): Promise<WrittenEntity> {
  return await write(writer, target, conditions, (stored) => {
    if (!stored) throw unknownEntity(target);
    return { configuration: withoutEntity(), settingOf: (place) => place };
  });
}

async function write(
  { db, files, by, rights }: EntityWriter,
  target: EntityTarget,
  conditions: WriteConditions,
  compose: (stored: StoredEntity | undefined) => OnlyConfiguration,
): Promise<WrittenEntity> {
  const prepare = async (on: Queryable, stored: StoredEntity | undefined) => {
    assertConditions(target, stored, conditions);
    return { owner: await ownerFor(on, stored, conditions), ...compose(stored) };
  };
  // Hashing is slow, and in the transaction others would wait for it.
  const hash = hashOnce();
  const first = await prepare(db, await readEntity(db, target));
  await assertPasswords(db, first);
  await hashesOf(first.configuration, hash);
  // An upload that begins before a contract exists and commits afterwards starts the contract too.
  await using _everything = target.entityType === 'Contract' ? await listenToEverything(db) : undefined;
  return await db.transaction(async (trx) => {
    await lockConfiguration(trx);
    const stored = await readEntity(trx, target);
    const { owner, configuration, settingOf } = await prepare(trx, stored);
    const texts = textsIn({ ...configuration, source: undefined, manager: undefined });
    await assertMayWrite(trx, rights, { target, stored, configuration, mentioned: texts });
    const mentioned = [...new Set([target.name, ...texts, ...textsIn(stored?.definition)])];
    const others = await readNeighbourhood(trx, target, { stored, mentioned });
    const hashes = await hashesOf(configuration, hash);
    const applying = { trx, source: owner, only: { target, mentioned, actor: actorOf(target, stored) } };
    const changes = await explaining(settingOf, async () => {
      checkChange({ configuration, settingOf }, others, { stored, target });
      return await reconcileConfiguration(applying, { configuration, hashes, files });
    });
    if (changes.length > 0) await settleChanges(trx, changes, { ...by, filled: new Set() });
    const { forcedFor: reason } = conditions;
    if (stored && owner !== null && reason !== undefined && changes.length > 0)
      await settleForce(trx, stored, { by, reason });
    const change = changes.find(
      ({ entityType, entityName }) => entityType === target.entityType && entityName === target.name,
    );
    return { change, entity: await readEntity(trx, target) };
  });
}

function assertConditions(
  target: EntityTarget,
  stored: StoredEntity | undefined,
  { ifMatch, ifAbsent }: WriteConditions,
): void {
  if (ifAbsent && stored) {
    const detail = `The ${target.entityType} ${target.name} exists already`;
    throw new CodedError('entity_exists', { detail });
  }
  if (ifMatch === undefined) return;
  const isMet = stored !== undefined && (ifMatch.includes('*') || ifMatch.includes(versionOf(stored)));
  if (!isMet) throw new CodedError('precondition_failed');
}

/** The API changes what it owns itself, and with force what a source has. What it takes from no source is its own. */
async function ownerFor(
  on: Queryable,
  stored: StoredEntity | undefined,
  { forcedFor }: WriteConditions,
): Promise<EntityOwner> {
  if (!stored || stored.source === null) return null;
  if (forcedFor === undefined) throw await ownedError(on, stored);
  return stored.source;
}

/** What a forced change leaves behind: the source has not applied it. */
async function settleForce(
  trx: Transaction,
  { id, entityType, name, ...stored }: StoredEntity,
  { by: { user, nodeId, managerName }, reason }: { by: EntityWriter['by']; reason: string },
): Promise<void> {
  const source = stored.source ?? '';
  await recordDivergence(trx, { entityType, name, ...stored }, { source, cause: 'forced', reason, changedBy: user });
  const entity = { entityType, entityName: name, entityId: id };
  const names = { source, reason };
  const payload = composeAuditEvent('entityForced', {
    user,
    nodeId,
    managerName,
    ...entity,
    context: { reason },
    names,
  });
  await appendToOutbox(trx, [{ topic: 'audit-event', payload }]);
}

function actorOf({ actor }: EntityTarget, stored: StoredEntity | undefined): string | undefined {
  const current = stored?.definition['actor'];
  return typeof current === 'string' ? current : actor;
}

/** Users, virtual file systems and contracts stay with their actor. */
function assertActor({ actor }: EntityTarget, stored: StoredEntity | undefined): void {
  const current = stored?.definition['actor'];
  if (!stored || current === actor) return;
  const message = current === undefined ? 'belongs to no actor' : `belongs to the actor ${JSON.stringify(current)}`;
  refuseSettings([{ field: 'actor', message: `cannot be changed: ${stored.entityType} ${stored.name} ${message}` }]);
}

/**
 * Checks a change together with what is around it. Faults that are there without the change do not concern it.
 * @throws CodedError `configuration_invalid`
 */
function checkChange(
  { configuration, settingOf }: OnlyConfiguration,
  others: readonly StoredEntity[],
  { stored, target }: { stored: StoredEntity | undefined; target: EntityTarget },
): void {
  const faults = faultsAmong(configuration, others);
  if (faults.length === 0) return;
  const former = stored ? onlyEntity(target, withoutActor(stored)).configuration : withoutEntity();
  const known = new Set(faultsAmong(former, others).map((fault) => JSON.stringify(fault)));
  const fields = faults.filter((fault) => settingOf(fault.field) !== fault.field || !known.has(JSON.stringify(fault)));
  if (fields.length > 0) throw new CodedError('configuration_invalid', { fields });
}

function withoutActor({ definition: { actor: _actor, ...settings } }: StoredEntity): object {
  return settings;
}

/** Runs what checks the change: its errors are those of the settings, or of entities that use this one. */
async function explaining<Result>(
  settingOf: OnlyConfiguration['settingOf'],
  check: () => Promise<Result>,
): Promise<Result> {
  try {
    return await check();
  } catch (error) {
    if (!isCodedError(error, 'configuration_invalid')) throw error;
    if (error.fields.length === 0) throw new CodedError('entity_in_use', { detail: error.message, cause: error });
    const fields = error.fields.map((fault) => ({ ...fault, own: settingOf(fault.field) }));
    const faults = fields.filter(({ own, field }) => own !== field);
    if (faults.length > 0) return refuseSettings(faults.map(({ own: field, message }) => ({ field, message })));
    const detail = `The change is refused: ${fields.map(({ message }) => message).join('; ')}`;
    throw new CodedError('entity_in_use', { detail, fields: error.fields });
  }
}
