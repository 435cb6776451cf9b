import type { JobDetailView } from '@waybill/contracts/endpoints/jobs/job-detail';
import { formatTime } from '../../page-kit/format/format-time.ts';
import { type Column, VirtualTable } from '../lists/virtual-table.tsx';
import { texts } from '../texts/texts.ts';

const { jobs } = texts;

type Change = JobDetailView['history'][number] & { readonly number: number };

const columns: readonly Column<Change>[] = [
  {
    name: 'time',
    title: jobs.historyTime,
    width: '13.5rem',
    cell: ({ at }) => <time dateTime={at}>{formatTime(at)}</time>,
  },
  {
    name: 'change',
    title: jobs.historyChange,
    width: 'minmax(0, 2fr)',
    cell: ({ from, to }) => (from === null ? jobs.submission : `${jobs.jobStatus[from]} → ${jobs.jobStatus[to]}`),
  },
  { name: 'by', title: jobs.historyBy, width: 'minmax(0, 1fr)', cell: ({ by }) => by },
  {
    name: 'message',
    title: jobs.historyMessage,
    width: 'minmax(0, 3fr)',
    isWide: true,
    cell: ({ message }) => <span title={message}>{message}</span>,
  },
];

const pageSize = 200;

/** Every change of a job's status, newest first. */
export function JobHistory({ id, history }: { readonly id: number; readonly history: JobDetailView['history'] }) {
  const changes = history.map((change, number) => ({ ...change, number })).toReversed();
  return (
    <section className="history" aria-label={jobs.history}>
      <h2>{jobs.history}</h2>
      <VirtualTable
        label={jobs.history}
        columns={columns}
        empty=""
        keyOf={({ number }) => number}
        source={{
          queryKey: ['history', id, history.length],
          pageSize,
          refreshEveryMs: false,
          read: async (cursor = '0') => {
            const [from, to] = [Number(cursor), Number(cursor) + pageSize];
            return { rows: changes.slice(from, to), next: to < changes.length ? String(to) : undefined };
          },
        }}
      />
    </section>
  );
}
