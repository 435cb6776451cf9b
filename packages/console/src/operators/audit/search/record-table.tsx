import type { AuditRecord } from '@waybill/contracts/values/audit-record';
import { Link } from 'react-aria-components';
import { formatExactTime } from '../../../page-kit/format/format-time.ts';
import { type Column, VirtualTable } from '../../lists/virtual-table.tsx';
import { texts } from '../../texts/texts.ts';
import { type AuditFilters, auditPageSize, listAuditRecords } from './audit-filters.ts';

const { audit } = texts;

const columns: readonly Column<AuditRecord>[] = [
  {
    name: 'time',
    title: audit.time,
    width: '14.75rem',
    cell: ({ id, auditTime }) => (
      <Link href={`/audit/${id}`}>
        <time dateTime={auditTime}>{formatExactTime(auditTime)}</time>
      </Link>
    ),
  },
  { name: 'code', title: audit.fields.auditCode, width: '6rem', isWide: true, cell: ({ auditCode }) => auditCode },
  {
    name: 'user',
    title: audit.fields.dataoneUser,
    width: 'minmax(0, 1fr)',
    cell: ({ dataoneUser }) => <bdi>{dataoneUser}</bdi>,
  },
  {
    name: 'operation',
    title: audit.fields.auditOperation,
    width: 'minmax(0, 1.5fr)',
    isWide: true,
    cell: ({ auditOperation }) => auditOperation,
  },
  {
    name: 'message',
    title: audit.fields.auditMessage,
    width: 'minmax(0, 4fr)',
    isWide: true,
    cell: ({ auditMessage }) => <bdi title={auditMessage}>{auditMessage}</bdi>,
  },
];

/** The records that match filters, the newest first. */
export function RecordTable({ filters }: { readonly filters: AuditFilters }) {
  return (
    <VirtualTable
      label={audit.list}
      columns={columns}
      empty={audit.none}
      keyOf={({ id }) => id}
      source={{
        queryKey: ['audit', 'list', filters],
        pageSize: auditPageSize,
        refreshEveryMs: false,
        read: (cursor, signal) => listAuditRecords(filters, { cursor, signal }),
      }}
    />
  );
}
