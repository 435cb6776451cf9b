import { readExpectedAccess, type ExpectedAccess, whyUnreadable } from '@waybill/contracts/configuration/access-test';
import { ownerTitle, type EntityOwner } from '@waybill/contracts/configuration/configuration-source';
import type { EntityType } from '@waybill/contracts/configuration/entity-type';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { CodedError, type FieldError } from '@waybill/contracts/errors/coded-error';
import type { Queryable } from '@waybill/postgres/database';
import { z } from 'zod';
import { queryRows } from '../queries/query-rows.ts';
import type { EntityTarget } from '../sources/entity-target.ts';
import { createAccessJudge } from './judge-expected-access.ts';

interface TestRow {
  readonly name: string;
  readonly source: EntityOwner;
  readonly definition: unknown;
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
  { trx, only }: ChangedConfiguration,
  { accessTests }: Pick<PlatformConfiguration, 'accessTests'>,
): Promise<void> {
  const changed = only?.filter(({ target }) => accessKinds.has(target.entityType));
  if (changed?.length === 0) return;
  const tests = await queryRows<TestRow>(
    trx,
    'SELECT name, source, definition FROM directory.access_tests ORDER BY id',
  );
  const sentences = tests.flatMap(sentencesOf);
  const concerned = changed ? await concernedBy(trx, changed, sentences) : sentences;
  if (concerned.length === 0) return;
  const judge = await createAccessJudge(
    trx,
    concerned.flatMap(({ expected }) => expected?.user ?? []),
  );
  const places = new Map(accessTests.map(({ name }, index) => [name, `accessTests[${index}]`]));
  const faults: FieldError[] = [];
  for (const sentence of concerned) {
    const { text, expected } = sentence;
    const broken = expected ? await judge(expected) : `it ${whyUnreadable(text)}`;
    if (broken !== undefined) faults.push(faultOf(sentence, places.get(sentence.test.name), broken));
  }
  if (faults.length > 0) refuse(faults);
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

function faultOf({ text, test, index }: PlacedSentence, place: string | undefined, broken: string): FieldError {
  const message = `expected: ${text}; but ${broken}`;
  if (place !== undefined) return { field: `${place}.expect[${index}]`, message };
  return { field: '', message: `Access Test ${test.name} of ${ownerTitle(test.source)}: ${message}` };
}

function refuse(fields: readonly FieldError[]): never {
  const [first] = fields;
  const more = fields.length > 1 ? `, and ${fields.length - 1} more` : '';
  throw new CodedError('configuration_invalid', {
    detail: `Access tests do not hold: ${first?.message}${more}`,
    fields,
  });
}
