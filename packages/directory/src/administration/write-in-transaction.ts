import { type EntityOwner, platformOwner } from '@waybill/contracts/configuration/configuration-source';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database, Queryable, Transaction } from '@waybill/postgres/database';
import type { FilePorts } from '../apply/apply-systems.ts';
import type { Change } from '../apply/change.ts';
import { assertApproversStay, reconcileConfiguration } from '../apply/reconcile-configuration.ts';
import type { OnlyEntity } from '../apply/reconcile-entities.ts';
import { type DescribedFault, describedFaults, shownOf } from '../checks/check-document.ts';
import { namesThereAre, refusedNames } from '../checks/check-new-names.ts';
import { administratorFault } from '../checks/check-roles.ts';
import type { AppliedBy } from '../settle/audit-changes.ts';
import { settleChanges } from '../settle/settle-changes.ts';
import { recordDivergence } from '../sources/divergence.ts';
import type { EntityTarget } from '../sources/entity-target.ts';
import { readEntity, type StoredEntity } from '../sources/stored-entities.ts';
import { textsIn } from '../sources/texts-in.ts';
import { assertMaySetCredentials, credentialsIn } from './assert-may-set-credentials.ts';
import { assertMayWrite, isEntityReached, type WriterRights } from './assert-may-write.ts';
import type { ChangePlace } from './change-place.ts';
import { explainRefusal } from './explain-refusal.ts';
import { usesOfActor } from './find-uses.ts';
import { mayNameToWriter, mayReferTo } from './may-name.ts';
import { readNeighbourhood } from './neighbourhood.ts';
import { onlyEntity, type OnlyConfiguration, refuseSettings, withoutEntity } from './only-entity.ts';
import { existsError, ownedError, takenError, unforcedError } from './owned-error.ts';
import { unknownEntity } from './unknown-entity.ts';
import { assertPasswords, hashesOf } from './written-passwords.ts';

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
  /** Versions of which one has to be the stored one; `*`: any. `assertVersions` compares them before the first change. */
  readonly ifMatch?: readonly string[] | undefined;
  /** The entity must not exist. */
  readonly ifAbsent?: boolean;
  /** The entity must exist, and stays with its actor. */
  readonly ifPresent?: boolean;
  /** The owner that the request states, if it does: it has to be the one that the entity has, or gets. */
  readonly source?: unknown;
  /** Why it is written in an emergency although a source owns it, and keeps it: otherwise that is refused. */
  readonly forcedFor?: string | undefined;
}

/** A change of one entity: it is created or replaced, or deleted if there are no settings. */
export interface EntityWrite extends WriteConditions {
  readonly target: EntityTarget;
  readonly settings?: NewSettings | undefined;
  /** If a request has several. Errors name it. */
  readonly place?: ChangePlace | undefined;
}

/** The settings of an entity as they are to be, from those that are stored. A password does not depend on those. */
export type NewSettings = (stored: StoredEntity | undefined) => object;

/** What a change of one entity does. */
export interface EntityOutcome {
  /** Of this entity first, if it changes at all. */
  readonly changes: readonly Change[];
  readonly stored: StoredEntity | undefined;
  /** The entities around it, without itself. */
  readonly others: readonly StoredEntity[];
  readonly only: OnlyEntity;
  readonly configuration: PlatformConfiguration;
}

/** A change that is ready to be made. */
interface PreparedWrite extends OnlyConfiguration {
  readonly owner: EntityOwner;
}

/** What the entity becomes, if the conditions of the change are met. @throws CodedError as writing does */
async function prepareWrite(
  on: Queryable,
  { target, settings, ...conditions }: EntityWrite,
  stored: StoredEntity | undefined,
): Promise<PreparedWrite> {
  if (!stored && conditions.ifPresent) throw unknownEntity(target);
  if (conditions.ifAbsent && stored) throw await existsError(on, stored);
  assertOwner(stored, conditions);
  const owner = await ownerFor(on, stored, conditions);
  if (settings) {
    const kept = conditions.ifPresent ? { ...target, actor: actorOf({ ...target, actor: undefined }, stored) } : target;
    assertActor(kept, stored);
    return { owner, ...onlyEntity(kept, settings(stored)) };
  }
  if (!stored) throw unknownEntity(target);
  return { owner, configuration: withoutEntity(), settingOf: (place) => place };
}

/**
 * Makes one change in a transaction that holds the lock of the configuration. What the entity refers to has to exist, and
 * nothing that refers to it may break. `hash` hashes a password. What concerns the whole configuration is checked after the last
 * change, by `checkOutcome`; the versions of `ifMatch` before the first one, by `assertVersions`.
 */
export async function writeInTransaction(
  trx: Transaction,
  { files, by, rights }: EntityWriter,
  write: EntityWrite,
  hash: (password: string) => Promise<string>,
): Promise<EntityOutcome> {
  const { target, forcedFor: reason } = write;
  const found = await readEntity(trx, target);
  // What belongs to others is not disclosed: every other refusal is that of what does not exist.
  const stored = found && isEntityReached(target, found.definition, rights.actors) ? found : undefined;
  const { owner, configuration, settingOf } = await prepareWrite(trx, write, stored);
  const texts = textsIn({ ...configuration, source: undefined, manager: undefined });
  await assertMayWrite(trx, rights, { target, stored, configuration });
  assertNewNames({ configuration, settingOf }, stored);
  assertMaySetCredentials({ ...rights, userName: by.user }, credentialsIn(configuration, stored?.definition));
  await assertPasswords(trx, { configuration, settingOf });
  const mentioned = [...new Set([target.name, ...texts, ...textsIn(stored?.definition)])];
  const others = await readNeighbourhood(trx, target, { stored, mentioned });
  const hashes = await hashesOf(configuration, hash);
  const only = { target, mentioned, actor: actorOf(target, stored) };
  const applying = { trx, source: owner, by: by.user, only };
  const mayName = mayNameToWriter(rights);
  const usesOf = () => (write.settings ? [] : usesOfActor(target, others, mayName));
  const changes = await explainRefusal({ settingOf, usesOf }, async () => {
    checkChange({ configuration, settingOf }, others, { stored, target, rights });
    // That a name is taken cannot be hidden where it is unique on the platform.
    if (found && !stored) throw takenError(target);
    const made = await reconcileConfiguration(applying, { configuration, hashes, files });
    await assertApproversStay(trx, made, { mayName });
    return made;
  });
  if (changes.length > 0) await settleChanges(trx, changes, { ...by, filled: new Set() });
  if (stored && owner !== null && reason !== undefined && changes.length > 0)
    await settleForce(trx, stored, { by, reason });
  return { changes, stored, others, only, configuration };
}

/** The API changes what it owns itself, and with force what a source has. What it takes from no source is its own. What is built in stays. */
async function ownerFor(
  on: Queryable,
  stored: StoredEntity | undefined,
  { forcedFor }: WriteConditions,
): Promise<EntityOwner> {
  if (stored?.source === null && forcedFor !== undefined) throw unforcedError(stored);
  if (!stored || stored.source === null) return null;
  if (forcedFor === undefined || stored.source === platformOwner) throw await ownedError(on, stored);
  return stored.source;
}

/** @throws CodedError `validation_failed` for names that nothing new can have */
function assertNewNames({ configuration, settingOf }: OnlyConfiguration, stored: StoredEntity | undefined): void {
  const refused = refusedNames(configuration, namesThereAre(stored ? [stored] : []));
  if (refused.length > 0) refuseSettings(refused.map(({ field, why }) => ({ field: settingOf(field), message: why })));
}

/** The owner is no setting. @throws CodedError `validation_failed` */
function assertOwner(stored: StoredEntity | undefined, { source }: WriteConditions): void {
  const owner = stored?.source ?? null;
  if (source === undefined || source === owner) return;
  const message = `is ${JSON.stringify(owner)}: only configuration/adopt and configuration/release change it`;
  refuseSettings([{ field: 'source', message }]);
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
  { stored, target, rights }: { stored: StoredEntity | undefined; target: EntityTarget; rights: WriterRights },
): void {
  const isOwn = ({ fault }: DescribedFault): boolean => settingOf(fault.field) !== fault.field;
  const faultsAmong = (some: readonly StoredEntity[]) =>
    describedFaults(configuration, some, { mayName: mayNameToWriter(rights) }).filter(
      ({ fault }) => fault.field !== administratorFault.field,
    );
  const reached = others.filter((entity) => mayReferTo(entity, rights.actors));
  const everywhere = faultsAmong(others);
  const faults =
    reached.length === others.length
      ? everywhere
      : [...faultsAmong(reached).filter(isOwn), ...everywhere.filter((one) => !isOwn(one))];
  if (faults.length === 0) return;
  // A request that deletes may leave the actor out.
  const formerTarget = { ...target, actor: actorOf(target, stored) };
  const former = stored ? onlyEntity(formerTarget, withoutActor(stored)).configuration : withoutEntity();
  const known = new Set(describedFaults(former, others).map(({ fault }) => JSON.stringify(fault)));
  const fields = shownOf(faults.filter((one) => isOwn(one) || !known.has(JSON.stringify(one.fault))));
  if (fields.length > 0) throw new CodedError('configuration_invalid', { fields });
}

function withoutActor({ definition: { actor: _actor, ...settings } }: StoredEntity): object {
  return settings;
}
