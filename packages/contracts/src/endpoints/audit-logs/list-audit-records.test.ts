import { describe, expect, it } from 'vitest';
import { listAuditRecordsEndpoint } from './list-audit-records.ts';

function complaints(query: Record<string, unknown>): string[] {
  const outcome = listAuditRecordsEndpoint.query.safeParse(query);
  return (outcome.error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('the query of the audit list', () => {
  it('needs only page', () => {
    expect(listAuditRecordsEndpoint.query.parse({ page: '3' })).toEqual({ page: 3, offset: 0, limit: 100 });
    expect(complaints({})).toEqual([expect.stringContaining('page')]);
  });

  it.each(['', ' ', '-1', '1.5', '0x1', '1e2', 'a', '9'.repeat(16), ['1', '2']])('refuses the page %j', (page) => {
    expect(complaints({ page })).toEqual([expect.stringContaining('page')]);
  });

  it('accepts a limit from 1 to 1000', () => {
    expect(listAuditRecordsEndpoint.query.parse({ page: '0', limit: '1' }).limit).toBe(1);
    expect(listAuditRecordsEndpoint.query.parse({ page: '0', limit: '1000' }).limit).toBe(1000);
    expect(complaints({ page: '0', limit: '0' })).toEqual(['limit: must be from 1 to 1000']);
    expect(complaints({ page: '0', limit: '1001' })).toEqual(['limit: must be from 1 to 1000']);
  });

  it('reads a filter, with its times as times', () => {
    const q = '{dataoneUser="acme",fromAuditTime="2026-03-14T10:00:00+01:00"}';
    expect(listAuditRecordsEndpoint.query.parse({ page: '0', q }).q).toEqual({
      exact: { dataoneUser: 'acme' },
      prefixes: {},
      times: { fromAuditTime: new Date('2026-03-14T09:00:00Z') },
    });
  });

  it('reads a hash, or its beginning, in the form of the records', () => {
    const read = (q: string) => listAuditRecordsEndpoint.query.parse({ page: '0', q }).q;
    expect(read('{fileHash="2CF24DBA"}')?.exact).toEqual({ fileHash: '2cf24dba' });
    expect(read('{fileHash^="2CF2"}')?.prefixes).toEqual({ fileHash: '2cf2' });
  });

  it('treats a space in a time as an unencoded plus', () => {
    const q = '{toAuditTime="2026-03-14T10:00:00 01:00"}';
    expect(listAuditRecordsEndpoint.query.parse({ page: '0', q }).q?.times).toEqual({
      toAuditTime: new Date('2026-03-14T09:00:00Z'),
    });
  });

  it.each([
    ['{nonsense="1"}', 'q.nonsense: is not one of id,'],
    ['{port="1"}', 'q.port: is not one of id,'],
    ['{constructor="1"}', 'q.constructor: is not one of id,'],
    ['{id="1",id="2"}', 'q.id: is given twice'],
    ['{auditTime="yesterday"}', 'q.auditTime: must be an ISO 8601'],
    ['{fromAuditTime="2026-02-30T00:00:00Z"}', 'q.fromAuditTime: must be an ISO 8601'],
    ['{toAuditTime="2026-03-14T09:00:00"}', 'q.toAuditTime: must be an ISO 8601'],
    ['{entityName="a\0b"}', 'q.entityName: must not hold a NUL'],
    ['auditCode', 'q: expected "{" at position 0'],
  ])('refuses the filter %j', (q, complaint) => {
    expect(complaints({ page: '0', q })).toEqual([expect.stringContaining(complaint)]);
  });

  it('reads an order of several keys; a space is an unencoded plus', () => {
    const expected = [
      { field: 'entityType', direction: 'asc' },
      { field: 'auditTime', direction: 'desc' },
    ];
    for (const sort of ['+entityType,-auditTime', ' entityType,-auditTime', 'entityType,-auditTime']) {
      expect(listAuditRecordsEndpoint.query.parse({ page: '0', sort }).sort).toEqual(expected);
    }
  });

  it.each(['', '+', '+nonsense', '-fromAuditTime', '*id', '+id,', '+id,-id', '+toString'])(
    'refuses the order %j',
    (sort) => {
      expect(complaints({ page: '0', sort })).toEqual([expect.stringContaining('sort: ')]);
    },
  );

  it('names everything that is wrong at once', () => {
    expect(complaints({ page: 'x', offset: '-1', limit: '0', q: '{id="1",x="2"}', sort: 'y' })).toEqual([
      expect.stringContaining('page: '),
      expect.stringContaining('offset: '),
      expect.stringContaining('limit: '),
      expect.stringContaining('q.x: '),
      expect.stringContaining('sort: '),
    ]);
  });
});
