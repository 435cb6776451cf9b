import type { AuditRecord } from '@waybill/contracts/values/audit-record';
import { Link } from 'react-aria-components';
import { formatExactTime } from '../../../page-kit/format/format-time.ts';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { type Column, exactTimeRem, VirtualTable } from '../../lists/virtual-table.tsx';
import { texts } from '../../texts/texts.ts';
import { type AuditFilters, auditPageSize, listAuditRecords } from './audit-filters.ts';

const { audit } = texts;

const columns: readonly Column<AuditRecord>[] = [
  {
    name: 'time',
    title: audit.time,
    rem: exactTimeRem,
    cell: ({ id, auditTime }) => (
      <Link href={`/audit/${id}`}>
        <time dateTime={auditTime}>{formatExactTime(auditTime)}</time>
      </Link>
    ),
  },
  { name: 'code', title: audit.fields.auditCode, rem: 6, cell: ({ auditCode }) => auditCode },
  {
    name: 'user',
    title: audit.fields.dataoneUser,
    rem: 8,
    share: 1,
    cell: ({ dataoneUser }) => <OutsideText text={dataoneUser} />,
  },
  {
    name: 'operation',
    title: audit.fields.auditOperation,
    rem: 9,
    share: 1.5,
    cell: ({ auditOperation }) => auditOperation,
  },
  {
    name: 'message',
    title: audit.fields.auditMessage,
    rem: 14,
    share: 4,
    cell: ({ auditMessage }) => <OutsideText text={auditMessage} hasTip />,
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
