import { auditExactFields, auditSortFields } from '@waybill/contracts/endpoints/audit-logs/audit-fields';
import { listAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/list-audit-records';
import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { existing } from '@waybill/test-kit/values/existing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createKnexRecordList } from '../src/adapters/listing/knex-record-list.ts';
import { recordColumns } from '../src/adapters/listing/record-columns.ts';
import type { IdentifiedEvent } from '../src/domain/records/log-record.ts';
import { createRecordRig, type RecordRig } from './record-rig.ts';

const facts = ['fileUploaded', 'fileRenamed', 'folderRenamed', 'managerLogin', 'serverLogin', 'entityCreated'] as const;
const recordCount = 120;
const pageSize = 23;
const newPath = 'audit.new_path_of(audit_code, entity_name, entity_id, audit_message)';
/** The records that are found by what is after a rename, too. */
const afterRename = new Map<string, string>([
  ['fileName', `CASE WHEN audit_code = 'AUD0040A' THEN split_part(${newPath}, '/', -1) END`],
  ['filePath', newPath],
]);
const longFields = new Set<string>(['dataoneUser', 'entityName', 'entityId', 'auditMessage']);
const kindFields = new Set<string>(['clusterId', 'module', 'auditCode', 'auditOperation', 'entityType']);

/** Texts that differ before, at and after the 100th character, the last one in characters of two UTF-16 code units. */
const texts = [
  '',
  'a',
  'b',
  'ab',
  ...[99, 100, 101].map((length) => 'x'.repeat(length)),
  `${'x'.repeat(100)}y`,
  `${'x'.repeat(99)}y`,
  ...[99, 100, 130].map((length) => '\u{1f4c4}'.repeat(length)),
];

/** Hashes that differ before, at and after the 16th digit. */
const hashes = ['0', '1']
  .flatMap((digit) => [digit, `a${digit}`, `${'b'.repeat(15)}${digit}`, `${'b'.repeat(16)}${digit}`])
  .map((beginning) => beginning.padEnd(64, 'c'));

/** In the seconds of a minute, several records in each, and in another order than the records. */
const timeAt = (second: number): string => new Date(Date.UTC(2026, 2, 1, 0, 0, second)).toISOString();
const ranges = [
  ['', 'true'],
  [`fromAuditTime="${timeAt(7)}"`, `audit_time >= '${timeAt(7)}'`],
  [`toAuditTime="${timeAt(12)}"`, `audit_time <= '${timeAt(12)}'`],
  [`fromAuditTime="${timeAt(5)}",toAuditTime="${timeAt(9)}"`, `audit_time BETWEEN '${timeAt(5)}' AND '${timeAt(9)}'`],
  [`auditTime="${timeAt(6)}"`, `audit_time = '${timeAt(6)}'`],
  [`fromAuditTime="${timeAt(9)}",toAuditTime="${timeAt(5)}"`, 'false'],
] as const;

let rig: RecordRig;
beforeAll(async () => {
  rig = await createRecordRig();
  await rig.append(Array.from({ length: recordCount }, (_, index) => eventOf(index, createRandom(index + 1))));
});
afterAll(() => rig[Symbol.asyncDispose]());

/** The same numbers in each run of the test. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function eventOf(index: number, random: (below: number) => number): IdentifiedEvent {
  const text = (): string => existing(texts[random(texts.length)]);
  const fact = existing(facts[random(facts.length)]);
  const [entityName, entityId, newName] = [text(), text(), text()];
  const payload = composeAuditEvent(fact, {
    user: text(),
    nodeId: `peer${random(3)}`,
    managerName: `manager${random(2)}`,
    entityType: random(5) === 0 ? 'Contract' : 'File',
    entityName,
    entityId,
    ...(random(3) > 0 && { dfiid: `flow-${random(4)}` }),
    names: { path: entityName, fileset: entityId, newPath: newName, newFileset: entityId },
  });
  const context = {
    ...(random(2) === 0 && { address: `192.0.2.${random(3)}` }),
    ...(random(2) === 0 && { virtualFileSystem: `vfs${random(3)}` }),
    ...(random(2) === 0 && { fileHash: existing(hashes[random(hashes.length)]) }),
  };
  const auditTime = timeAt((index * 37) % 20);
  const auditMessage = fact.endsWith('Renamed') ? payload.auditMessage : text();
  const id = idNear(Date.parse(auditTime) + existing(distances[random(distances.length)]), random);
  return { id, payload: { ...payload, auditMessage, context, auditTime } };
}

/** How far ids are from the times of their records, in milliseconds. */
const distances = [0, 0, 0, 1_000, -60_000, 60_000, -60_001, 60_001, 1e10, -1e12];

function idNear(ms: number, random: (below: number) => number): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random(2 ** 12)
    .toString(16)
    .padStart(3, '0')}-8000-${random(2 ** 32)
    .toString(16)
    .padStart(12, '0')}`;
}

interface Condition {
  readonly q: string;
  readonly sql: string;
  readonly bindings: readonly string[];
}

/** The condition of each value that a field has, of one that no record has, and of each beginning. */
async function conditionsOn(field: (typeof auditExactFields)[number]): Promise<Condition[]> {
  const column = recordColumns[field];
  const after = afterRename.get(field) ?? 'CAST(NULL AS text)';
  const found = await rig.db.raw<{ rows: { value: string }[] }>(
    `SELECT DISTINCT value FROM audit.records, unnest(ARRAY[CAST(${column} AS text), ${after}]) AS value
     WHERE value IS NOT NULL ORDER BY 1`,
  );
  const rows = found.rows.map(({ value }) => value);
  const isId = field === 'id' || field === 'correlationId';
  const values = isId ? rows.slice(0, 2) : rows.filter((value) => field !== 'dataoneUser' || value.length < 50);
  const equal = [...values, 'absent'].map((value) => ({
    q: `${field}="${value}"`,
    sql: `coalesce(CAST(${column} AS text) = ?, false) OR coalesce(${after} = ?, false)`,
    bindings: [value, value],
  }));
  const beginnings = [...new Set(rows.flatMap((value) => [value.slice(0, 2), value]))];
  const prefixed = beginnings.map((value) => ({
    q: `${field}^="${value}"`,
    sql: `coalesce(starts_with(${column}, ?), false) OR coalesce(starts_with(${after}, ?), false)`,
    bindings: [value, value],
  }));
  return isId ? equal : [...equal, ...prefixed];
}

/** The order as the documentation describes it: of long texts, the first 100 characters. */
function naiveOrder(sort: string, isFiltered: boolean): string {
  const direction = sort.startsWith('-') ? 'DESC' : 'ASC';
  const field = sort === '' ? undefined : auditSortFields.find((name) => name === sort.slice(1));
  if (field === undefined) return isFiltered ? 'audit_time, sequence' : 'sequence';
  const column = recordColumns[field];
  const keys = longFields.has(field) ? [`left(${column}, 100)`] : [field === 'dfiid' ? "coalesce(dfiid, '')" : column];
  if (kindFields.has(field)) {
    keys.push('audit.kind_of(cluster_id, module, audit_code, audit_operation, entity_type)');
  }
  if (field !== 'auditTime' && field !== 'correlationId') keys.push('audit_time');
  return [...keys, 'sequence'].map((key) => `${key} ${direction}`).join(', ');
}

async function idsByCursor(q: string, sort: string, options: { sortedAtMost?: number } = {}): Promise<string[]> {
  const list = createKnexRecordList(rig.db, options);
  const ids: string[] = [];
  for (let cursor: string | undefined = '', pages = 0; cursor !== undefined; pages += 1) {
    expect(pages, `pages of ${q} ${sort}`).toBeLessThan(recordCount);
    const given = { ...(q && { q: `{${q}}` }), ...(sort && { sort }), ...(cursor && { cursor }) };
    const parsed = listAuditRecordsEndpoint.query.parse({ page: '0', limit: String(pageSize), ...given });
    const page = await list.list(parsed);
    ids.push(...page.records.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  return ids;
}

async function idsOfNaiveQuery({ sql, bindings }: Omit<Condition, 'q'>, order: string): Promise<string[]> {
  const { rows } = await rig.db.raw<{ rows: { id: string }[] }>(
    `SELECT id FROM audit.records WHERE ${sql} ORDER BY ${order}`,
    [...bindings],
  );
  return rows.map(({ id }) => id);
}

const sorts = ['', ...auditSortFields.flatMap((field) => [`+${field}`, `-${field}`])];

it.each(auditExactFields)(
  'gives the same records as a naive query for each filter by %s, sort and range',
  async (field) => {
    const conditions = await conditionsOn(field);
    const random = createRandom(7);
    for (const { q, sql, bindings } of conditions) {
      // By time in each range, by every field in one of them.
      const byTime = ranges.flatMap((range) => ['', '+auditTime', '-auditTime'].map((sort) => [range, sort] as const));
      const others = sorts.map((sort) => [existing(ranges[random(ranges.length)]), sort] as const);
      const chosen = others.filter(() => random(4) === 0);
      for (const [[rangeQ, rangeSql], sort] of [...byTime, ...chosen]) {
        const whole = [q, rangeQ].filter((part) => part !== '').join();
        const expected = await idsOfNaiveQuery({ sql: `(${sql}) AND ${rangeSql}`, bindings }, naiveOrder(sort, true));
        expect(await idsByCursor(whole, sort), `${whole} ${sort}`).toEqual(expected);
      }
    }
  },
);

it.each(sorts)('gives the same records as a naive query in the order %j in each range of time', async (sort) => {
  for (const [q, sql] of ranges) {
    const expected = await idsOfNaiveQuery({ sql, bindings: [] }, naiveOrder(sort, q !== ''));
    expect(await idsByCursor(q, sort), `${q} ${sort}`).toEqual(expected);
    expect(await idsByCursor(q, sort, { sortedAtMost: 0 }), `${q} ${sort}, from the index`).toEqual(expected);
  }
});

it('begins at the range of time with a cursor from before it', async () => {
  const list = createKnexRecordList(rig.db);
  const parse = (query: object) => listAuditRecordsEndpoint.query.parse({ page: '0', ...query });
  for (const sort of ['+auditTime', '-auditTime']) {
    const { nextCursor } = await list.list(parse({ sort, limit: '1' }));
    for (const filter of ['nodeId="peer1"', 'entityType="File"', 'address^="192."']) {
      const query = { sort, q: `{${filter},${ranges[3][0]}}`, limit: '1000' };
      const { records } = await list.list(parse(query));
      expect(records).not.toEqual([]);
      expect((await list.list(parse({ ...query, cursor: existing(nextCursor) }))).records).toEqual(records);
    }
  }
});
