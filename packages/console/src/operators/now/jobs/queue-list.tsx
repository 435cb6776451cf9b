import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { listQueuesEndpoint } from '@waybill/contracts/endpoints/queues/list-queues';
import { pauseQueueEndpoint } from '@waybill/contracts/endpoints/queues/pause-queue';
import type { QueueView } from '@waybill/contracts/endpoints/queues/queue';
import { resumeQueueEndpoint } from '@waybill/contracts/endpoints/queues/resume-queue';
import { Link } from 'react-aria-components';
import { number } from '../../../texts/numbers.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { usePermissions } from '../../api/permissions.ts';
import { ConfirmButton } from '../../frame/confirm-button.tsx';
import { Panel } from '../../frame/panel.tsx';
import { type SmallColumn, SmallTable } from '../../lists/small-table.tsx';
import { texts } from '../../texts/texts.ts';
import { refreshEveryMs } from '../refresh.ts';
import { Since } from '../since.tsx';

const { now } = texts;

const columns: readonly SmallColumn<QueueView>[] = [
  { title: now.queue, cell: ({ name }) => <Link href={`/jobs?queue=${encodeURIComponent(name)}`}>{name}</Link> },
  {
    title: now.state,
    cell: ({ state, pause }) => (
      <>
        <span className="badge">{state}</span>
        {pause !== null && <span className="quiet"> {now.pausedBy(pause.by, pause.reason)}</span>}
      </>
    ),
  },
  { title: now.waiting, isNumber: true, cell: ({ jobs }) => number(jobs.waiting) },
  { title: now.suspended, isNumber: true, cell: ({ jobs }) => number(jobs.suspended) },
  {
    title: now.running,
    isNumber: true,
    cell: ({ jobs, parallelism }) => `${jobs.running} / ${parallelism ?? '–'}`,
  },
  {
    title: now.oldest,
    cell: ({ oldestWaiting: oldest }) =>
      oldest !== null && (
        <>
          <Link href={`/jobs/${oldest.id}`}>{oldest.id}</Link> <Since time={oldest.since} />
        </>
      ),
  },
];

/** How the queues are read. */
export const queuesQuery = queryOptions({
  queryKey: ['queues'],
  queryFn: ({ signal }) => callEndpoint(listQueuesEndpoint, { signal }),
});

/** The queues with their depth, and what pauses them. */
export function QueueList() {
  const mayChange = usePermissions().mayForAll('queues:write');
  const { data, error } = useQuery({
    ...queuesQuery,
    refetchInterval: refreshEveryMs.live,
  });
  const change: SmallColumn<QueueView> = {
    title: <span className="visually-hidden">{texts.actions}</span>,
    text: 'actions',
    cell: (queue) => <QueueButton key={queue.pause === null ? 'open' : 'paused'} queue={queue} />,
  };
  return (
    <Panel title={now.queues} hint={now.queueOrder} error={error} isRead={data !== undefined} isBroad>
      <SmallTable
        label={now.queues}
        columns={mayChange ? [...columns, change] : columns}
        rows={data?.queues.toSorted(byOldestJob)}
        empty={now.noQueue}
        keyOf={({ name }) => name}
      />
    </Panel>
  );
}

/** Queues in which nothing waits come last, in the order of the interface. */
function byOldestJob({ oldestWaiting: one }: QueueView, { oldestWaiting: other }: QueueView): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return one.since.localeCompare(other.since);
}

function QueueButton({ queue: { name, pause } }: { readonly queue: QueueView }) {
  const client = useQueryClient();
  const isPaused = pause !== null;
  const change = async (reason: string): Promise<void> => {
    const request = { params: { name }, query: { reason } };
    if (isPaused) await callEndpoint(resumeQueueEndpoint, request);
    else await callEndpoint(pauseQueueEndpoint, request);
    await client.invalidateQueries({ queryKey: queuesQuery.queryKey });
  };
  const label = isPaused ? now.resume : now.pause;
  return (
    <ConfirmButton
      label={label}
      name={`${label}: ${name}`}
      title={isPaused ? now.resumeTitle(name) : now.pauseTitle(name)}
      reason={now.reason}
      outdated={isPaused ? now.resumedMeanwhile(name) : now.pausedMeanwhile(name)}
      act={change}
    >
      {!isPaused && <p>{now.pauseEffect}</p>}
    </ConfirmButton>
  );
}
