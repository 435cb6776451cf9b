import { listenToEverything } from '@waybill/outbox/listen-to';
import type { Transaction } from '@waybill/postgres/database';
import { rollBackAfter } from '@waybill/postgres/roll-back-after';
import type { Change } from '../apply/change.ts';
import { lockConfiguration } from '../apply/reconcile-configuration.ts';
import { type BrokenTest, describeBrokenTest } from '../expected/check-access-tests.ts';
import { recordDivergence } from '../sources/divergence.ts';
import type { EntityTarget } from '../sources/entity-target.ts';
import { readEntity, type StoredEntity } from '../sources/stored-entities.ts';
import { assertVersions } from './assert-versions.ts';
import { inChange } from './change-place.ts';
import { checkOutcome } from './check-outcome.ts';
import { type EntityUse, findUses } from './find-uses.ts';
import { mayNameToWriter } from './may-name.ts';
import {
  type EntityOutcome,
  type EntityWrite,
  type EntityWriter,
  type NewSettings,
  type WriteConditions,
  writeInTransaction,
} from './write-in-transaction.ts';
import { hashBefore } from './written-passwords.ts';

/** An entity before and after it was written, if it existed. */
export interface WrittenEntity {
  readonly change: Change | undefined;
  readonly entity: StoredEntity | undefined;
}

/** What changes of entities would do. */
export interface RehearsedWrites {
  readonly changes: readonly Change[];
  /** What refers to the entities that exist and would change. */
  readonly uses: readonly EntityUse[];
  /** The access tests that a forced change breaks, each in a sentence. */
  readonly broken: readonly string[];
}

/** What changes have made. */
export interface WrittenEntities {
  readonly changes: readonly Change[];
  /** Those that were written, as they are afterwards. */
  readonly entities: readonly (StoredEntity | undefined)[];
  /** The access tests that a forced change has broken, each in a sentence: they are drift of the source of the entity. */
  readonly broken: readonly string[];
}

/**
 * Creates or replaces one entity for the API. What it refers to has to exist, and nothing that refers to it may break.
 * @throws CodedError `not_permitted`, `validation_failed`, `entity_unknown`, `entity_exists`, `entity_owned`, `entity_in_use`, `precondition_failed`
 */
export async function putEntity(
  writer: EntityWriter,
  target: EntityTarget,
  change: WriteConditions & { readonly settings: NewSettings },
): Promise<WrittenEntity> {
  return await writeOne(writer, { ...change, target });
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
  return await writeOne(writer, { ...conditions, target });
}

async function writeOne(writer: EntityWriter, write: EntityWrite): Promise<WrittenEntity> {
  const { target } = write;
  const { changes, entities } = await writeEntities(writer, [write]);
  const change = changes.find(
    ({ entityType, entityName }) => entityType === target.entityType && entityName === target.name,
  );
  return { change, entity: entities[0] };
}

/**
 * Makes several changes in their order, all or none: each may refer to what those before it have made, and is checked like a
 * change of its own, except that access tests have to hold after the last one, and versions are those before the first one.
 * @throws CodedError as `putEntity` and `deleteEntity` do
 */
export async function writeEntities(writer: EntityWriter, writes: readonly EntityWrite[]): Promise<WrittenEntities> {
  const { db } = writer;
  const hash = await hashBefore(writes);
  // An upload that begins before a contract exists and commits afterwards starts the contract too.
  const hasContract = writes.some(({ target }) => target.entityType === 'Contract');
  await using _everything = hasContract ? await listenToEverything(db) : undefined;
  return await db.transaction(async (trx) => {
    const { outcomes, broken } = await writeAll(trx, writer, { writes, hash });
    const entities: (StoredEntity | undefined)[] = [];
    for (const { target } of writes) entities.push(await readEntity(trx, target));
    return {
      changes: outcomes.flatMap(({ changes }) => changes),
      entities,
      broken: broken.map(describeBrokenTest),
    };
  });
}

/** Finds out what changes would do, and does nothing. @throws CodedError as making them would */
export async function rehearseWrites(writer: EntityWriter, writes: readonly EntityWrite[]): Promise<RehearsedWrites> {
  const hash = await hashBefore(writes);
  return await rollBackAfter(writer.db, async (trx) => {
    const { outcomes, broken } = await writeAll(trx, writer, { writes, hash });
    const mayName = mayNameToWriter(writer.rights);
    return {
      changes: outcomes.flatMap(({ changes }) => changes),
      uses: outcomes.flatMap(({ changes, stored, others }, index) => {
        const target = writes[index]?.target;
        return stored && target && changes.length > 0 ? findUses(target, others, mayName) : [];
      }),
      broken: broken.map(describeBrokenTest),
    };
  });
}

async function writeAll(
  trx: Transaction,
  writer: EntityWriter,
  { writes, hash }: { writes: readonly EntityWrite[]; hash: (password: string) => Promise<string> },
): Promise<{ readonly outcomes: readonly EntityOutcome[]; readonly broken: readonly BrokenTest[] }> {
  await lockConfiguration(trx);
  await assertVersions(trx, writer.rights, writes);
  const reason = writes.find(({ forcedFor }) => forcedFor !== undefined)?.forcedFor;
  const make = async (): Promise<EntityOutcome[]> => {
    const outcomes: EntityOutcome[] = [];
    for (const write of writes)
      outcomes.push(await inChange(write.place, () => writeInTransaction(trx, writer, write, hash)));
    return outcomes;
  };
  const { outcomes, broken } = await checkOutcome(trx, make, { isForced: reason !== undefined });
  const source = outcomes.find(({ stored }) => stored !== undefined)?.stored?.source ?? '';
  for (const test of broken) {
    const why = { source, cause: 'forced', reason: `${reason}: ${test.why}`, changedBy: writer.by.user } as const;
    await recordDivergence(trx, { ...test, entityType: 'Access Test' }, why);
  }
  return { outcomes, broken };
}
