import { readExpectedAccess, type ExpectedAccess, whyUnreadable } from '@waybill/contracts/configuration/access-test';
import { ownerTitle, type EntityOwner } from '@waybill/contracts/configuration/configuration-source';
import type { EntityType } from '@waybill/contracts/configuration/entity-type';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { CodedError, type FieldError } from '@waybill/contracts/errors/coded-error';
import type { Queryable } from '@waybill/postgres/database';
import { z } from 'zod';
import { queryRows } from '../queries/query-rows.ts';
import type { Definition, EntityTarget } from '../sources/entity-target.ts';
import { createAccessJudge } from './judge-expected-access.ts';

interface TestRow {
  readonly name: string;
  readonly source: EntityOwner;
  readonly definition: Definition;
}

const storedTestSchema = z.object({ expect: z.array(z.string()) });

/** A sentence of a test, and where it is. */
interface PlacedSentence {
  readonly text: string;
  /** Absent: an older version of the platform has stored a sentence that this one does not read. */
  readonly expected: ExpectedAccess | undefined;
  readonly test: TestRow;
  readonly index: number;
}

/** An entity that was changed, and its actor if it belongs to one. */
interface ChangedEntity {
  readonly target: EntityTarget;
  readonly actor?: string | undefined;
}

/** The transaction that has changed the configuration. `only`: it has changed nothing but these entities. */
interface ChangedConfiguration {
  readonly trx: Queryable;
  readonly only?: readonly ChangedEntity[];
  /** Who applies: what a forced change of its entities has broken has to hold again. */
  readonly source?: EntityOwner;
}

/** A test that does not hold, and why. */
export interface BrokenTest extends TestRow {
  /** Its place in `expect`. */
  readonly index: number;
  readonly why: string;
}

/** Kinds of which users, or the access of users, are made. */
const accessKinds: ReadonlySet<EntityType> = new Set<EntityType>([
  'Cluster',
  'Actor',
  'External User',
  'Group',
  'VFS',
  'Connection Contract',
  'Access Test',
]);

/**
 * Checks the access tests of all owners against what the transaction has made of the configuration.
 * @throws CodedError `configuration_invalid`, with each sentence that does not hold, its place and the rules that decided
 */
export async function checkAccessTests(
  changed: ChangedConfiguration,
  { accessTests }: Pick<PlatformConfiguration, 'accessTests'>,
): Promise<void> {
  const broken = await findBrokenTests(changed);
  if (broken.length === 0) return;
  const places = new Map(accessTests.map(({ name }, index) => [name, `accessTests[${index}]`]));
  refuse(broken.map((test) => faultOf(test, places.get(test.name))));
}

/** The access tests that do not hold, except those that a forced change has broken before: they are drift of its source. */
export async function findBrokenTests({ trx, only, source = null }: ChangedConfiguration): Promise<BrokenTest[]> {
  const changed = only?.filter(({ target }) => accessKinds.has(target.entityType));
  if (changed?.length === 0) return [];
  const tests = await queryRows<TestRow & { readonly isDrift: boolean }>(
    trx,
    `SELECT name, source, definition, EXISTS (
         SELECT FROM directory.divergences d WHERE d.entity_type = 'Access Test' AND d.name = t.name AND d.cause = 'forced'
            AND d.source IS DISTINCT FROM CAST(:source AS text)) AS "isDrift"
       FROM directory.access_tests t ORDER BY id`,
    { source },
  );
  const written = new Set(changed?.filter(isTest).map(({ target }) => target.name));
  const sentences = tests.filter(({ isDrift, name }) => !isDrift || written.has(name)).flatMap(sentencesOf);
  const concerned = changed ? await concernedBy(trx, changed, sentences) : sentences;
  if (concerned.length === 0) return [];
  const judge = await createAccessJudge(
    trx,
    concerned.flatMap(({ expected }) => expected?.user ?? []),
  );
  const broken: BrokenTest[] = [];
  for (const { text, expected, test, index } of concerned) {
    const why = expected ? await judge(expected) : `it ${whyUnreadable(text)}`;
    if (why !== undefined) broken.push({ ...test, index, why: `expected: ${text}; but ${why}` });
  }
  return broken;
}

function sentencesOf(test: TestRow): PlacedSentence[] {
  const { expect } = storedTestSchema.parse(test.definition);
  return expect.map((text, index) => ({ text, expected: readExpectedAccess(text), test, index }));
}

/** The sentences that changes of these entities may break. */
async function concernedBy(
  trx: Queryable,
  changed: readonly ChangedEntity[],
  sentences: readonly PlacedSentence[],
): Promise<readonly PlacedSentence[]> {
  const [tests, others] = [changed.filter(isTest), changed.filter((entity) => !isTest(entity))];
  const actors = others.flatMap(({ actor }) => (actor === undefined ? [] : [actor]));
  if (actors.length < others.length) return sentences;
  const rows = await queryRows<{ name: string }>(
    trx,
    `SELECT u.name FROM directory.partner_users u JOIN directory.actors a ON a.id = u.actor_id
      WHERE a.name IN (SELECT jsonb_array_elements_text(CAST(:actors AS jsonb)))`,
    { actors: JSON.stringify(actors) },
  );
  const ofKind = (entities: readonly ChangedEntity[], kind: EntityType): string[] =>
    entities.flatMap(({ target: { entityType, name } }) => (entityType === kind ? [name] : []));
  const users = new Set<string>([...rows.map((row) => row.name), ...ofKind(others, 'External User')]);
  const written = new Set(ofKind(tests, 'Access Test'));
  return sentences.filter(
    ({ expected, test }) => expected === undefined || written.has(test.name) || users.has(expected.user),
  );
}

function isTest({ target }: ChangedEntity): boolean {
  return target.entityType === 'Access Test';
}

function faultOf(test: BrokenTest, place: string | undefined): FieldError {
  if (place !== undefined) return { field: `${place}.expect[${test.index}]`, message: test.why };
  return { field: '', message: describeBrokenTest(test) };
}

/** A test that does not hold, in a sentence. */
export function describeBrokenTest({ name, source, why }: BrokenTest): string {
  return `Access Test ${name} of ${ownerTitle(source)}: ${why}`;
}

function refuse(fields: readonly FieldError[]): never {
  const [first] = fields;
  const more = fields.length > 1 ? `, and ${fields.length - 1} more` : '';
  throw new CodedError('configuration_invalid', {
    detail: `Access tests do not hold: ${first?.message}${more}`,
    fields,
  });
}
