import { type AuditExactField, auditSortFields } from '@waybill/contracts/endpoints/audit-logs/audit-fields';
import type { AuditListQuery } from '@waybill/contracts/endpoints/audit-logs/list-audit-records';
import { listAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/list-audit-records';
import { idOf, timeOf } from './fill-records.ts';

/** A listing under measurement, as its parameters. */
export interface ListingCase {
  readonly name: string;
  readonly query: Readonly<Record<string, string>>;
}

/** Every filter with a value that many records have, one that few have and one that none has. */
function valuesOf(count: number): Readonly<Record<AuditExactField, readonly string[]>> {
  return {
    id: [idOf(count / 2), idOf(count * 2), 'absent'],
    correlationId: [idOf(count / 2), idOf(count * 2), 'absent'],
    clusterId: ['ENGINE', 'MANAGER', 'absent'],
    nodeId: ['peer1', 'rare', 'absent'],
    module: ['manager1 AUDIT', 'rare AUDIT', 'absent'],
    auditCode: ['AUD0041A', 'AUD0001A', 'AUD0099A', 'absent'],
    auditOperation: ['SERVER_UPLOAD_FILE', 'DELETE', 'absent'],
    dataoneUser: ['partner0', 'rare', 'absent'],
    entityType: ['File', 'Rare', 'absent'],
    entityName: ['engine', 'rare', 'absent'],
    entityId: ['peer1', 'rare', 'absent'],
    auditMessage: ['User partner0 has logged in', 'rare', 'absent'],
    dfiid: [idOf(700), 'rare', 'absent'],
    address: ['192.0.2.7', 'rare', 'absent'],
    virtualFileSystem: ['vfs3', 'rare', 'absent'],
    fileName: ['700', 'rare', 'absent'],
    filePath: ['engine', 'rare', 'absent'],
    fileHash: ['frequent'.padEnd(64, '0'), 'rare'.padEnd(64, '0'), 'absent'],
  };
}

/**
 * Each filter alone, with the newest first, and within ranges of time, one of them without records, and each order, alone and
 * within ranges of time; what has a next page also in the middle.
 */
export function listingCases(count: number): ListingCase[] {
  const middle = timeOf(Math.floor(count / 2));
  const hour = [
    `fromAuditTime="${middle.toISOString()}"`,
    `toAuditTime="${new Date(middle.getTime() + 3_600_000).toISOString()}"`,
  ].join(',');
  const half = `fromAuditTime="${timeOf(Math.floor(count / 4)).toISOString()}",toAuditTime="${timeOf(Math.floor((3 * count) / 4)).toISOString()}"`;
  const before = 'toAuditTime="2025-01-01T00:00:00Z"';
  const filters = Object.entries(valuesOf(count)).flatMap(([field, values]) =>
    values.flatMap((value): ListingCase[] => [
      { name: `${field}="${value.slice(0, 20)}"`, query: { q: `{${field}="${value}"}` } },
      { name: `${field}="${value.slice(0, 20)}", newest`, query: { q: `{${field}="${value}"}`, sort: '-auditTime' } },
      { name: `${field}="${value.slice(0, 20)}", an hour`, query: { q: `{${field}="${value}",${hour}}` } },
      { name: `${field}="${value.slice(0, 20)}", no time`, query: { q: `{${field}="${value}",${before}}` } },
    ]),
  );
  const prefixes = ['entityName^="/inbox/invoices/7/"', 'dataoneUser^="partner1"', 'auditCode^="AUD004"'];
  return [
    { name: 'no filter', query: {} },
    { name: 'an hour', query: { q: `{${hour}}` } },
    ...filters,
    ...prefixes.map((prefix) => ({ name: prefix, query: { q: `{${prefix}}` } })),
    ...auditSortFields.flatMap((field) =>
      ['+', '-'].flatMap((sign): ListingCase[] => {
        const sort = `${sign}${field}`;
        return [
          { name: `sort ${sort}`, query: { sort } },
          { name: `sort ${sort}, an hour`, query: { sort, q: `{${hour}}` } },
          { name: `sort ${sort}, half of the time`, query: { sort, q: `{${half}}` } },
          { name: `sort ${sort}, no time`, query: { sort, q: `{${before}}` } },
        ];
      }),
    ),
  ];
}

/** The query as the service reads it. */
export function queryOf(query: Readonly<Record<string, string>>): AuditListQuery {
  return listAuditRecordsEndpoint.query.parse({ page: '0', ...query });
}
