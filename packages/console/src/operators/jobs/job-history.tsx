import { listJobHistoryEndpoint, type NumberedChangeView } from '@waybill/contracts/endpoints/jobs/list-job-history';
import { formatExactTime } from '../../page-kit/format/format-time.ts';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';
import { callEndpoint } from '../api/call-endpoint.ts';
import { cursorOf } from '../api/pages.ts';
import { type Column, exactTimeRem, VirtualTable } from '../lists/virtual-table.tsx';
import { texts } from '../texts/texts.ts';

const { jobs } = texts;

const columns: readonly Column<NumberedChangeView>[] = [
  {
    name: 'time',
    title: jobs.historyTime,
    rem: exactTimeRem,
    cell: ({ at }) => <time dateTime={at}>{formatExactTime(at)}</time>,
  },
  {
    name: 'change',
    title: jobs.historyChange,
    rem: 10,
    share: 2,
    cell: ({ from, to }) => (from === null ? jobs.submission : `${jobs.jobStatus[from]} → ${jobs.jobStatus[to]}`),
  },
  { name: 'by', title: jobs.historyBy, rem: 8, share: 1, cell: ({ by }) => by },
  {
    name: 'message',
    title: jobs.historyMessage,
    rem: 13,
    share: 3,
    cell: ({ message }) => <OutsideText text={message} hasTip />,
  },
];

const pageSize = 200;

/** Every change of a job's status, newest first, page by page. */
export function JobHistory({ id, refreshEveryMs }: { readonly id: number; readonly refreshEveryMs: number | false }) {
  return (
    <section className="history" aria-label={jobs.history}>
      <h2>{jobs.history}</h2>
      <VirtualTable
        label={jobs.history}
        columns={columns}
        empty=""
        keyOf={({ id: number }) => number}
        source={{
          queryKey: ['jobs', 'history', id],
          pageSize,
          refreshEveryMs,
          read: async (cursor, signal) => {
            const query = { maxItems: pageSize, cursor };
            const { history, next } = await callEndpoint(listJobHistoryEndpoint, { params: { id }, query, signal });
            return { rows: history, next: cursorOf(next) };
          },
        }}
      />
    </section>
  );
}
