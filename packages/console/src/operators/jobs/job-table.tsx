import type { JobView } from '@waybill/contracts/endpoints/jobs/job';
import { useMemo } from 'react';
import { Link } from 'react-aria-components';
import { formatExactTime } from '../../page-kit/format/format-time.ts';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';
import { visibleText } from '../../page-kit/outside-text/visible-text.ts';
import { emptyText } from '../lists/empty-text.ts';
import { LongText } from '../lists/long-text.tsx';
import { withSelection } from '../lists/select-column.tsx';
import type { SelectedRows } from '../lists/use-selectable-list.ts';
import { type Column, exactTimeRem, VirtualTable } from '../lists/virtual-table.tsx';
import { texts } from '../texts/texts.ts';
import { filePathOf } from './file-path.ts';
import { type JobFilters, jobPageSize, listJobs } from './job-filters.ts';
import { JobStatusBadge } from './status-badge.tsx';

const { jobs } = texts;

const columns: readonly Column<JobView>[] = [
  { name: 'id', title: jobs.number, rem: 5, cell: ({ id }) => <Link href={`/jobs/${id}`}>{id}</Link> },
  { name: 'status', title: jobs.status, rem: 7.5, cell: ({ status }) => <JobStatusBadge status={status} /> },
  {
    name: 'contract',
    title: jobs.contract,
    rem: 13,
    share: 2,
    cell: ({ contract, contractAction }) => `${contract} / ${contractAction}`,
  },
  { name: 'file', title: jobs.file, rem: 9, share: 1, cell: ({ dfic }) => <FileName path={filePathOf(dfic)} /> },
  { name: 'queue', title: jobs.queue, rem: 7.5, share: 1, cell: ({ queue }) => queue },
  { name: 'actor', title: jobs.actor, rem: 4.5, share: 1, cell: ({ actor }) => actor },
  {
    name: 'reason',
    title: jobs.reason,
    rem: 10,
    share: 2,
    cell: ({ statusMessage }) => <LongText title={jobs.reason} text={statusMessage} />,
  },
  {
    name: 'created',
    title: jobs.submitted,
    rem: exactTimeRem,
    cell: ({ createdAt }) => <time dateTime={createdAt}>{formatExactTime(createdAt)}</time>,
  },
];

/** The name of a file, whose path is its tip. */
function FileName({ path }: { readonly path: string | undefined }) {
  if (path === undefined) return null;
  return (
    <span title={visibleText(path)}>
      <OutsideText text={path.slice(path.lastIndexOf('/') + 1)} />
    </span>
  );
}

/** The jobs that match filters. */
export function JobTable(props: {
  readonly filters: JobFilters;
  readonly refreshEveryMs: number;
  /** Undefined: none can be selected. */
  readonly selected: SelectedRows<JobView> | undefined;
  readonly onEmpty: (isEmpty: boolean) => void;
}) {
  const { filters, refreshEveryMs, selected, onEmpty } = props;
  const shown = useMemo(() => withSelection(columns, { selected, nameOf: ({ id }) => jobs.select(id) }), [selected]);
  return (
    <VirtualTable
      label={jobs.list}
      columns={shown}
      empty={filters.dfiid !== undefined || filters.extIPID !== undefined ? jobs.noneWhole : emptyText(jobs, filters)}
      onEmpty={onEmpty}
      keyOf={({ id }) => id}
      source={{
        queryKey: ['jobs', 'list', filters],
        pageSize: jobPageSize,
        refreshEveryMs,
        read: (cursor, signal) => listJobs(filters, cursor, signal),
      }}
    />
  );
}
