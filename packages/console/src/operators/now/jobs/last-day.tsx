import { useQuery } from '@tanstack/react-query';
import { type JobStatisticsView, readJobStatisticsEndpoint } from '@waybill/contracts/endpoints/jobs/job-statistics';
import { Link } from 'react-aria-components';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { visibleText } from '../../../page-kit/outside-text/visible-text.ts';
import { number } from '../../../texts/numbers.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { unlessRefused } from '../../api/refusals.ts';
import { Panel } from '../../frame/panel.tsx';
import type { JobFilters } from '../../jobs/job-filters.ts';
import { type SmallColumn, SmallTable } from '../../lists/small-table.tsx';
import { texts } from '../../texts/texts.ts';
import { refreshEveryMs } from '../refresh.ts';
import { Since } from '../since.tsx';

const { now } = texts;

type ActionView = JobStatisticsView['actions'][number];

/** `from`: when the day began. */
const columnsSince = (from: string): readonly SmallColumn<ActionView>[] => [
  {
    title: now.action,
    cell: (view) => <Link href={jobsOf(view)}>{nameOf(view)}</Link>,
  },
  { title: now.completed, isNumber: true, cell: ({ completed }) => number(completed) },
  {
    title: now.failed,
    isNumber: true,
    cell: (view) => <Failed view={view} from={from} />,
  },
  { title: now.aborted, isNumber: true, cell: ({ aborted }) => number(aborted) },
  {
    title: now.runTime,
    isNumber: true,
    cell: ({ runTime }) => runTime && now.seconds(runTime.p95),
  },
  {
    title: now.lastFailure,
    cell: ({ lastFailure: last }) =>
      last !== null && (
        <>
          <Link href={`/jobs/${last.job}`}>{last.job}</Link> <Since time={last.at} />{' '}
          <OutsideText text={last.message} />
        </>
      ),
  },
];

/** Leads to the failed jobs that are still in error. */
function Failed({ view, from }: { readonly view: ActionView; readonly from: string }) {
  const failed = number(view.failed);
  if (view.failed === 0) return failed;
  return (
    <Link
      className="failure"
      href={jobsOf(view, { status: 'ERROR', updatedAtFrom: from })}
      aria-label={visibleText(now.failedJobs(failed, nameOf(view)))}
    >
      {failed}
    </Link>
  );
}

function nameOf({ contract, action }: ActionView): string {
  return `${contract} / ${action}`;
}

/** The address of the list of the jobs of an action. */
function jobsOf({ contract, action }: ActionView, filters: JobFilters = {}): string {
  return `/jobs?${new URLSearchParams({ contract, contractAction: action, ...filters }).toString()}`;
}

/** How the jobs of the last day went: what has failed first, the last failure on top. */
export function LastDay() {
  const { data, error } = useQuery({
    queryKey: ['statistics'],
    queryFn: ({ signal }) => callEndpoint(readJobStatisticsEndpoint, { signal }),
    refetchInterval: unlessRefused(refreshEveryMs.slow),
  });
  return (
    <Panel title={now.lastDay} hint={now.lastDayOrder} error={error} isRead={data !== undefined} isBroad>
      <SmallTable
        label={now.lastDay}
        columns={columnsSince(data?.from ?? '')}
        rows={data?.actions.toSorted(byLastFailure)}
        empty={now.noRuns}
        keyOf={({ contract, action }) => `${contract}/${action}`}
      />
      <p>
        <Link href="/jobs?status=ERROR">{now.inError}</Link>
      </p>
    </Panel>
  );
}

function byLastFailure({ lastFailure: one }: ActionView, { lastFailure: other }: ActionView): number {
  return (other?.at ?? '').localeCompare(one?.at ?? '');
}
