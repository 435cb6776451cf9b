import type { AuditExactField } from '@waybill/contracts/endpoints/audit-logs/audit-fields';
import { problemSchema } from '@waybill/contracts/errors/problem';
import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { auditRecordSchema, type AuditRecord } from '@waybill/contracts/values/audit-record';
import { uuidV7 } from '@waybill/service-kit/uuid-v7';
import { existing } from '@waybill/test-kit/values/existing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IdentifiedEvent } from '../src/domain/records/log-record.ts';
import { createListingRig, listingPath, type ListingQuery, type ListingRig } from './listing-rig.ts';

const oddName = String.raw`/inbox/a "quoted", {braced} \ file + ü.csv`;
const longName = 'n'.repeat(10_000);

let rig: ListingRig;
let all: AuditRecord[];
const list = async (query: ListingQuery): Promise<AuditRecord[]> => (await rig.read(query)).records;

beforeAll(async () => {
  rig = await createListingRig('Administrators', variedEvents());
  ({ all } = rig);
});
afterAll(() => rig[Symbol.asyncDispose]());

/** Forty records in which every field has unique and shared values. */
function variedEvents(): IdentifiedEvent[] {
  const nameOf = (index: number): string => {
    if (index === 7) return oddName;
    return index === 8 ? longName : `/inbox/file-${index % 13}.csv`;
  };
  return Array.from({ length: 40 }, (_, index) => {
    const isFile = index % 4 !== 0;
    const payload = composeAuditEvent(isFile ? 'fileUploaded' : 'managerLogin', {
      user: index === 9 ? longName : `user${index % 5}`,
      nodeId: `peer${index % 3}`,
      managerName: `manager${index % 2}`,
      entityType: isFile ? 'File' : 'Manager',
      entityName: nameOf(index),
      entityId: String(index % 11),
      dfiid: index % 6 === 0 ? uuidV7() : undefined,
      names: { path: nameOf(index), fileset: String(index) },
    });
    return {
      id: uuidV7(),
      payload: { ...payload, auditTime: new Date(Date.UTC(2026, 2, 1, 0, index % 10)).toISOString() },
    };
  });
}

function filterOf(conditions: Readonly<Record<string, string>>): string {
  const quote = (value: string) => value.replaceAll(/["\\]/gu, String.raw`\$&`);
  const parts = Object.entries(conditions).map(([field, value]) => `${field}="${quote(value)}"`);
  return `{${parts.join(',')}}`;
}

async function refused(query: ListingQuery) {
  const response = await rig.ask(query);
  expect(response.status).toBe(400);
  expect(response.headers.get('content-type')).toContain('application/problem+json');
  const problem = problemSchema.parse(response.json());
  expect(problem.code).toBe('validation_failed');
  return problem.errors?.map(({ field }) => field);
}

describe('records', () => {
  it('have exactly the fields of the interface, the ranges null', () => {
    expect(all).toHaveLength(40);
    for (const record of all) expect(Object.keys(record)).toEqual(Object.keys(auditRecordSchema.shape));
    expect(all.every(({ fromAuditTime, toAuditTime }) => fromAuditTime === null && toAuditTime === null)).toBe(true);
  });

  it('name the previous record', () => {
    expect(all[0]?.correlationId).toBe('00000000-0000-0000-0000-000000000000');
    expect(all.slice(1).map(({ correlationId }) => correlationId)).toEqual(all.slice(0, -1).map(({ id }) => id));
  });
});

it('refuses parameters that it does not have by their names', async () => {
  expect(await refused({ page: 0, user: 'acme' })).toEqual(['user']);
  expect(await refused({ page: 0, Limit: 5, filter: '{}' })).toEqual(['Limit', 'filter']);
});

describe('pages', () => {
  it('begin at page × limit + offset', async () => {
    const ids = all.map(({ id }) => id);
    const idsOf = async (query: Record<string, number>) => (await list(query)).map(({ id }) => id);
    expect(await idsOf({ limit: 7 })).toEqual(ids.slice(0, 7));
    expect(await idsOf({ page: 2, limit: 7 })).toEqual(ids.slice(14, 21));
    expect(await idsOf({ page: 2, limit: 7, offset: 3 })).toEqual(ids.slice(17, 24));
    expect(await idsOf({ offset: 38 })).toEqual(ids.slice(38));
    expect(await idsOf({ page: 9, limit: 10 })).toEqual([]);
    expect(await idsOf({ page: 999_999_999_999_999, limit: 1_000, offset: 999_999_999_999_999 })).toEqual([]);
  });

  it('hold a hundred records when nothing else is asked', async () => {
    await rig.record.append(Array.from({ length: 70 }, () => existing(variedEvents()[1])));
    const now = await list({ limit: 1_000 });
    expect(now).toHaveLength(110);
    expect(await list({})).toHaveLength(100);
    all = now;
  });
});

describe('filters', () => {
  const byTime = (records: readonly AuditRecord[]) =>
    records.toSorted((one, other) => Date.parse(one.auditTime) - Date.parse(other.auditTime));
  const fields: readonly (AuditExactField & keyof AuditRecord)[] = [
    ...(['id', 'clusterId', 'correlationId', 'nodeId', 'module', 'auditCode', 'auditOperation'] as const),
    ...(['dataoneUser', 'entityType', 'entityName', 'entityId', 'auditMessage'] as const),
  ];

  it.each(fields)('match %s exactly', async (field) => {
    const value = existing(all[5])[field];
    const expected = all.filter((record) => record[field] === value);
    expect(expected.length).toBeLessThan(all.length);
    expect(await list({ limit: 1_000, q: filterOf({ [field]: existing(value) }) })).toEqual(byTime(expected));
    expect(await list({ q: filterOf({ [field]: existing(value).slice(0, -1) }) })).toEqual([]);
    expect(await list({ q: filterOf({ [field]: `${value} ` }) })).toEqual([]);
  });

  it('match auditTime exactly, with any offset', async () => {
    const expected = all.filter(({ auditTime }) => auditTime === '2026-03-01T00:05:00.000Z');
    expect(expected).not.toEqual([]);
    expect(await list({ q: '{auditTime="2026-03-01T01:05:00+01:00"}' })).toEqual(expected);
    expect(await list({ q: '{auditTime="2026-03-01T00:05:00.001Z"}' })).toEqual([]);
  });

  it('bound the time on both sides, inclusively', async () => {
    const [from, to] = ['2026-03-01T00:03:00.000Z', '2026-03-01T00:06:00.000Z'];
    const within = (bounds: { from?: string; to?: string }) =>
      byTime(all.filter(({ auditTime }) => auditTime >= (bounds.from ?? '') && auditTime <= (bounds.to ?? '9')));
    const ask = (conditions: Record<string, string>) => list({ limit: 1_000, q: filterOf(conditions) });
    expect(await ask({ fromAuditTime: from })).toEqual(within({ from }));
    expect(await ask({ toAuditTime: to })).toEqual(within({ to }));
    expect(await ask({ fromAuditTime: from, toAuditTime: to })).toEqual(within({ from, to }));
  });

  it('all hold at once', async () => {
    const conditions = { dataoneUser: 'user1', nodeId: 'peer2', auditCode: 'AUD0041A' };
    const matching = all.filter(
      ({ dataoneUser, nodeId, auditCode }) => dataoneUser === 'user1' && nodeId === 'peer2' && auditCode === 'AUD0041A',
    );
    const expected = byTime(matching);
    expect(expected).not.toEqual([]);
    expect(await list({ limit: 1_000, q: filterOf(conditions) })).toEqual(expected);
    expect(await list({ limit: 1_000, q: '{dataoneUser="user1"},{nodeId="peer2"},{auditCode="AUD0041A"}' })).toEqual(
      expected,
    );
  });

  it('accept values with quotes, braces, commas and backslashes, and values of any length', async () => {
    expect(await list({ q: filterOf({ entityName: oddName }) })).toEqual([all[7]]);
    expect((await rig.record.db('audit.records').where('entity_name', longName)).length).toBe(1);
    expect((await rig.record.db('audit.records').where('dataone_user', longName)).length).toBe(1);
  });

  it('interpret nothing as SQL', async () => {
    expect(await list({ q: filterOf({ entityName: "' OR '1'='1", nodeId: '?' }) })).toEqual([]);
  });
});

describe('orders', () => {
  const values = (records: readonly AuditRecord[], field: keyof AuditRecord) => records.map((record) => record[field]);

  it.each(['entityType', 'auditTime', 'id', 'entityName', 'dataoneUser', 'auditMessage'] as const)(
    'go up and down by %s',
    async (field) => {
      const sorted = values(all, field).toSorted((one, other) => (String(one) < String(other) ? -1 : 1));
      expect(values(await list({ limit: 1_000, sort: `+${field}` }), field)).toEqual(sorted);
      expect(values(await list({ limit: 1_000, sort: `-${field}` }), field)).toEqual(sorted.toReversed());
    },
  );

  it('accept several keys, and their pages are consistent', async () => {
    const sort = '+entityType,-auditTime';
    const whole = await list({ limit: 1_000, sort });
    const key = ({ entityType, auditTime }: AuditRecord) => `${entityType} ${1e15 - Date.parse(auditTime)}`;
    expect(whole.map(key)).toEqual(all.map(key).toSorted());
    const pages = await Promise.all([0, 1, 2].map((page) => list({ page, limit: 37, sort })));
    expect(pages.flat()).toEqual(whole.slice(0, 111));
  });

  it('accept a plus that the URL decoding made a space', async () => {
    const { status, text } = await rig.audit.client.get(`${listingPath}?page=0&sort=+auditTime`, { bearer: rig.token });
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual(await list({ sort: '+auditTime' }));
  });
});

describe('refusals', () => {
  it.each([
    [{}, ['page']],
    [{ page: '' }, ['page']],
    [{ page: -1 }, ['page']],
    [{ page: 'one' }, ['page']],
    [{ page: 0, limit: 0 }, ['limit']],
    [{ page: 0, limit: 1_001 }, ['limit']],
    [{ page: 0, offset: 'x' }, ['offset']],
    [{ page: 0, q: 'entityType=File' }, ['q']],
    [{ page: 0, q: '{colour="red"}' }, ['q.colour']],
    [{ page: 0, q: '{fromAuditTime="today",id="1"}' }, ['q.fromAuditTime']],
    [{ page: 0, q: '{entityName="a\0"}' }, ['q.entityName']],
    [{ page: 0, sort: '-colour' }, ['sort']],
    [{ offset: -1, limit: 'x', q: '{', sort: '?' }, ['page', 'offset', 'limit', 'q', 'sort']],
  ] as const)('name what is wrong with %j', async (query, fields) => {
    expect(await refused(query)).toEqual([...fields]);
  });

  it('ask for a token, and for a good one', async () => {
    for (const bearer of ['', 'nonsense', rig.tokenOf('Administrators', 'stranger')]) {
      const response = await rig.audit.client.get(listingPath, { query: { page: 0 }, ...(bearer && { bearer }) });
      expect(response.status).toBe(401);
      expect(problemSchema.parse(response.json()).code).toBe('not_authenticated');
    }
  });

  it('refuse the audit log to users who are not administrators', async () => {
    const response = await rig.ask({ page: 0 }, rig.tokenOf('Users'));
    expect(response.status).toBe(403);
    expect(problemSchema.parse(response.json()).code).toBe('not_permitted');
  });
});
