import {
  accessTestSchema,
  readExpectedAccess,
  type ExpectedAccess,
} from '@waybill/contracts/configuration/access-test';
import { ownerTitle, type EntityOwner } from '@waybill/contracts/configuration/configuration-source';
import type { EntityType } from '@waybill/contracts/configuration/entity-type';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { CodedError, type FieldError } from '@waybill/contracts/errors/coded-error';
import type { Queryable } from '@waybill/postgres/database';
import { queryRows } from '../queries/query-rows.ts';
import type { EntityTarget } from '../sources/entity-target.ts';
import { createAccessJudge } from './judge-expected-access.ts';

interface TestRow {
  readonly name: string;
  readonly source: EntityOwner;
  readonly definition: unknown;
}

/** A sentence of a test, and where it is. */
interface PlacedSentence {
  readonly text: string;
  readonly expected: ExpectedAccess;
  readonly test: TestRow;
  readonly index: number;
}

/** The transaction that has changed the configuration. `only`: it has changed one entity, of this actor. */
interface ChangedConfiguration {
  readonly trx: Queryable;
  readonly only?: { readonly target: EntityTarget; readonly actor?: string | undefined };
}

/** Kinds of which users, or the access of users, are made. */
const accessKinds: ReadonlySet<EntityType> = new Set<EntityType>([
  'Cluster',
  'Actor',
  'External User',
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
  if (only && !accessKinds.has(only.target.entityType)) return;
  const tests = await queryRows<TestRow>(
    trx,
    'SELECT name, source, definition FROM directory.access_tests ORDER BY id',
  );
  const sentences = tests.flatMap(sentencesOf);
  const concerned = only ? await concernedBy(trx, only, sentences) : sentences;
  if (concerned.length === 0) return;
  const judge = await createAccessJudge(
    trx,
    concerned.map(({ expected }) => expected.user),
  );
  const places = new Map(accessTests.map(({ name }, index) => [name, `accessTests[${index}]`]));
  const faults: FieldError[] = [];
  for (const sentence of concerned) {
    const broken = await judge(sentence.expected);
    if (broken !== undefined) faults.push(faultOf(sentence, places.get(sentence.test.name), broken));
  }
  if (faults.length > 0) refuse(faults);
}

function sentencesOf(test: TestRow): PlacedSentence[] {
  return accessTestSchema.parse(test.definition).expect.flatMap((text, index) => {
    const expected = readExpectedAccess(text);
    return expected ? [{ text, expected, test, index }] : [];
  });
}

/** The sentences that a change of one entity may break. */
async function concernedBy(
  trx: Queryable,
  { target: { entityType, name }, actor }: NonNullable<ChangedConfiguration['only']>,
  sentences: readonly PlacedSentence[],
): Promise<PlacedSentence[]> {
  if (entityType === 'Access Test') return sentences.filter(({ test }) => test.name === name);
  if (actor === undefined) return [...sentences];
  const rows = await queryRows<{ name: string }>(
    trx,
    `SELECT u.name FROM directory.partner_users u JOIN directory.actors a ON a.id = u.actor_id WHERE a.name = :actor`,
    { actor },
  );
  const users = new Set<string>([...rows.map((row) => row.name), ...(entityType === 'External User' ? [name] : [])]);
  return sentences.filter(({ expected }) => users.has(expected.user));
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
