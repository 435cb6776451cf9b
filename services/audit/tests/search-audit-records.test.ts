import type { AuditSortField } from '@waybill/contracts/endpoints/audit-logs/audit-fields';
import { problemSchema } from '@waybill/contracts/errors/problem';
import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import type { AuditRecord } from '@waybill/contracts/values/audit-record';
import { uuidV7 } from '@waybill/service-kit/uuid-v7';
import { existing } from '@waybill/test-kit/values/existing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IdentifiedEvent } from '../src/domain/records/log-record.ts';
import { createListingRig, listingPath, type ListingQuery, type ListingRig } from './listing-rig.ts';
import { hashOf } from './some-events.ts';

const stem = '/inbox/'.padEnd(150, 'x');
const facts = ['fileUploaded', 'managerLogin', 'serverLogin', 'entityCreated'] as const;

let rig: ListingRig;
let all: AuditRecord[];
const ask = (query: ListingQuery) => rig.read(query);

beforeAll(async () => {
  rig = await createListingRig('Auditors', events());
  ({ all } = rig);
});
afterAll(() => rig[Symbol.asyncDispose]());

/** Records with many ties in every field, long names that differ late, and times in another order than the records. */
function events(): IdentifiedEvent[] {
  return Array.from({ length: 90 }, (_, index) => {
    const payload = composeAuditEvent(facts[index % 4] ?? 'fileUploaded', {
      user: index === 0 ? '' : `user${index % 5}`,
      nodeId: `peer${index % 3}`,
      managerName: `manager${index % 2}`,
      entityType: index % 7 === 0 ? 'Contract' : 'File',
      entityName: index % 10 === 0 ? `${stem}${index}` : `/inbox/file-${index % 13}.csv`,
      entityId: String(index % 11),
      ...(index % 6 !== 0 && { dfiid: `flow-${index % 4}` }),
      names: { path: `/inbox/${index % 13}` },
    });
    const context = {
      ...(index % 2 === 0 && { address: `10.0.${index % 4}.${index}` }),
      ...(index % 3 === 0 && { virtualFileSystem: `vfs${index % 2}` }),
      // Some are of a release that recorded neither.
      ...(index % 8 === 0 && { fileSize: index * 1_000, fileHash: hashOf(String(index % 16)) }),
    };
    const auditTime = new Date(Date.UTC(2026, 2, 1, 0, (index * 37) % 20)).toISOString();
    return { id: uuidV7(), payload: { ...payload, context, auditTime } };
  });
}

async function walk(query: Readonly<Record<string, string>>, limit: number): Promise<AuditRecord[]> {
  const found: AuditRecord[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await ask({ ...query, limit, ...(cursor !== undefined && { cursor }) });
    found.push(...page.records);
    cursor = page.next;
  }
  return found;
}

const idsOf = (records: readonly AuditRecord[]) => records.map(({ id }) => id).toSorted();

describe('filters beyond the interface', () => {
  it('find records by dataflow, by address and by virtual file system, alone and combined', async () => {
    const at = (test: (index: number) => boolean) => idsOf(all.filter((_, index) => test(index)));
    const found = async (q: string) => idsOf((await ask({ q, limit: 1_000 })).records);
    expect(await found('{dfiid="flow-1"}')).toEqual(at((index) => index % 6 !== 0 && index % 4 === 1));
    expect(await found('{address="10.0.2.14"}')).toEqual(at((index) => index === 14));
    expect(await found('{virtualFileSystem="vfs1"}')).toEqual(at((index) => index % 3 === 0 && index % 2 === 1));
    expect(await found('{address^="10.0.2.",virtualFileSystem="vfs0",dataoneUser="user3"}')).toEqual(
      at((index) => index % 4 === 2 && index % 3 === 0 && index % 5 === 3),
    );
    const eighth = at((index) => index % 16 === 8);
    const hash = hashOf('8');
    expect(await found(`{fileHash="${hash}"}`)).toEqual(eighth);
    expect(await found(`{fileHash="${hash.toUpperCase()}",auditCode="AUD0041A"}`)).toEqual(eighth);
    for (const digits of [7, 16, 20]) expect(await found(`{fileHash^="${hash.slice(0, digits)}"}`)).toEqual(eighth);
    // A hash of which only the part in the index is the same, a part of one, and no hash at all.
    const others = [`${hash.slice(0, 16)}${'0'.repeat(48)}`, hash.slice(0, 16), "' OR true --", String.raw`\"}`];
    for (const other of others) {
      expect(await found(`{fileHash="${other.replaceAll(/["\\]/gu, String.raw`\$&`)}"}`)).toEqual([]);
    }
    for (const field of ['dfiid', 'address', 'virtualFileSystem', 'fileHash'])
      expect(await found(`{${field}=""}`)).toEqual([]);
  });

  it.each([
    ['entityName', '/inbox/file-1'],
    ['entityName', `${stem}5`],
    ['entityName', stem.slice(0, 100)],
    ['auditMessage', 'User user'],
    ['dataoneUser', 'user'],
    ['entityId', '1'],
    ['dfiid', 'flow'],
    ['nodeId', 'peer'],
    ['auditCode', 'AUD000'],
    ['auditOperation', 'SERVER_'],
    ['entityType', 'Con'],
    ['module', 'manager1'],
    ['clusterId', 'E'],
    ['entityName', ''],
    ['entityName', '100%_'],
    ['entityName', '\u{10ffff}'],
  ] as const)('find the records whose %s begins with %j', async (field, prefix) => {
    const expected = idsOf(all.filter((record) => record[field]?.startsWith(prefix)));
    const { records, total } = await ask({ q: `{${field}^="${prefix}"}`, limit: 1_000, total: 'true' });
    expect(idsOf(records)).toEqual(expected);
    expect(total).toBe(String(expected.length));
  });

  it.each([
    ['{id^="01"}', 'q.id'],
    ['{correlationId^="01"}', 'q.correlationId'],
    ['{auditTime^="2026"}', 'q.auditTime'],
    ['{colour^="2026"}', 'q.colour'],
    ['{entityName="a",entityName^="b"}', 'q.entityName'],
    ['{entityName^="\0"}', 'q.entityName'],
  ])('refuse the prefix in %j', async (q, field) => {
    const response = await rig.ask({ page: 0, q });
    expect(response.status).toBe(400);
    expect(problemSchema.parse(response.json()).errors?.map((error) => error.field)).toEqual([field]);
  });
});

describe('totals', () => {
  it('count the matching records on request, whatever the page', async () => {
    expect(await ask({ limit: 3 })).toMatchObject({ total: null });
    expect(await ask({ limit: 3, page: 5, total: 'true' })).toMatchObject({ total: '90' });
    expect(await ask({ limit: 3, total: 'true', q: '{auditOperation="LOGIN",nodeId="peer1"}' })).toMatchObject({
      total: String(all.filter((one) => one.auditOperation === 'LOGIN' && one.nodeId === 'peer1').length),
    });
    expect(await ask({ total: 'true', q: '{auditCode="AUD9999A"}' })).toMatchObject({ total: '0', records: [] });
  });
});

describe('counts', () => {
  const count = async (query: Readonly<Record<string, string>>) => {
    const answer = await rig.audit.client.get(`${listingPath}/counts`, { query, bearer: rig.token });
    return { status: answer.status, body: answer.json() };
  };

  it('are those of the records of each unit of time and each value', async () => {
    const q = '{fromAuditTime="2026-03-01T00:05:00Z",entityType="File"}';
    const expected = new Map<string, number>();
    for (const { auditTime, auditOperation, entityType } of all) {
      if (auditTime < '2026-03-01T00:05:00.000Z' || entityType !== 'File') continue;
      const key = `${auditTime} ${auditOperation}`;
      expected.set(key, (expected.get(key) ?? 0) + 1);
    }
    const rows = [...expected.keys()].toSorted().map((key) => ({
      time: key.slice(0, 24),
      value: key.slice(25),
      count: expected.get(key),
    }));
    expect(await count({ q, by: 'auditOperation', unit: 'minute' })).toEqual({ status: 200, body: rows });
    expect(await count({ unit: 'month' })).toEqual({
      status: 200,
      body: [{ time: '2026-03-01T00:00:00.000Z', value: null, count: 90 }],
    });
    expect(await count({ q: '{auditCode="AUD9999A"}' })).toEqual({ status: 200, body: [] });
  });

  it('have the bytes of the transfers on request: those of records without a size are 0', async () => {
    const bytes = all.reduce((sum, _, index) => sum + (index % 8 === 0 ? index * 1_000 : 0), 0);
    const [time, value] = ['2026-03-01T00:00:00.000Z', null];
    expect((await count({ unit: 'month', bytes: 'true' })).body).toEqual([{ time, value, count: 90, bytes }]);
    expect((await count({ bytes: 'true', q: '{auditOperation="LOGIN"}' })).body).toMatchObject([{ bytes: 0 }]);
    expect((await count({ unit: 'month', bytes: 'false' })).body).toEqual([{ time, value, count: 90 }]);
  });

  it.each([
    { by: 'auditMessage' },
    { bytes: 'yes' },
    { by: 'fileHash' },
    { unit: 'second' },
    { unit: "day'" },
    { q: '{' },
    { from: 'now' },
  ])('are refused for %j', async (query) => {
    expect(await count(query)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });
});

const fields: readonly AuditSortField[] = [
  ...(['id', 'clusterId', 'correlationId', 'nodeId', 'module', 'auditCode', 'auditOperation', 'dataoneUser'] as const),
  ...(['entityType', 'entityName', 'entityId', 'auditMessage', 'auditTime', 'dfiid'] as const),
];
const sorts = [
  '',
  ...fields.flatMap((field) => [`+${field}`, `-${field}`]),
  '+entityType,-auditTime',
  '-dataoneUser,+entityName,-id',
  '+dfiid,-nodeId',
  '-auditOperation,-clusterId',
];

describe('cursors', () => {
  it.each(sorts)('walk through the order %j, and give every record once', async (sort) => {
    for (const q of ['', '{entityType="File"}', '{auditOperation^="SERVER"}', '{nodeId="peer1"}', '{dfiid="flow-1"}']) {
      const query = { ...(sort && { sort }), ...(q && { q }) };
      const { records: whole } = await ask({ ...query, limit: 1_000 });
      expect(await walk(query, 7)).toEqual(whole);
      const paged = await Promise.all([0, 1, 2].map((page) => ask({ ...query, limit: 7, page })));
      expect(paged.flatMap(({ records }) => records)).toEqual(whole.slice(0, 21));
      // The first 100 characters determine an order by one field.
      for (const key of sort.split(',').slice(0, 1)) {
        const values = whole.map((record) => (record[key.slice(1) as AuditSortField] ?? '').slice(0, 100));
        const sorted = values.toSorted((one, other) => (one < other ? -1 : Number(one > other)));
        if (key !== '') expect(values).toEqual(key.startsWith('-') ? sorted.toReversed() : sorted);
      }
    }
  });

  it('continue after records that were added meanwhile', async () => {
    const first = await ask({ limit: 80, sort: '+auditTime' });
    await rig.record.append([
      { id: uuidV7(), payload: { ...existing(events()[1]).payload, auditTime: '2026-03-02T00:00:00.000Z' } },
    ]);
    const rest = await ask({ limit: 80, sort: '+auditTime', cursor: first.next ?? '' });
    expect(new Set([...first.records, ...rest.records].map(({ id }) => id)).size).toBe(91);
    expect(rest.next).toBeNull();
  });

  it('are refused with another order, and when they were made up', async () => {
    const { next } = await ask({ limit: 3, sort: '-auditTime' });
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const [name] = JSON.parse(Buffer.from(next ?? '', 'base64url').toString()) as string[];
    const made = [
      '',
      'x',
      encode({}),
      encode([]),
      encode([name]),
      encode([name, 'now', '1']),
      encode([name, null, '1']),
    ];
    const huge = encode([name, '2026-03-01T00:00:00Z', '9223372036854775808']);
    const answers = await Promise.all([
      rig.ask({ page: 0, cursor: next ?? '' }),
      ...[...made, huge, encode([name, '2026-03-01T00:00:00Z', "1' OR '1'='1"]), 'A'.repeat(5_000)].map((cursor) =>
        rig.ask({ page: 0, sort: '-auditTime', cursor }),
      ),
    ]);
    for (const answer of answers) {
      expect(answer.status).toBe(400);
      expect(problemSchema.parse(answer.json()).errors?.map(({ field }) => field)).toEqual(['cursor']);
    }
  });
});
