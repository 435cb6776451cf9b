import { useQuery } from '@tanstack/react-query';
import {
  type ConnectionHealthView,
  listConnectionHealthEndpoint,
} from '@waybill/contracts/endpoints/connections/list-connection-health';
import { formatTime } from '../../../page-kit/format/format-time.ts';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { Panel } from '../../frame/panel.tsx';
import { type SmallColumn, SmallTable } from '../../lists/small-table.tsx';
import { texts } from '../../texts/texts.ts';
import { refreshEveryMs } from '../refresh.ts';

const { now } = texts;

const columns: readonly SmallColumn<ConnectionHealthView>[] = [
  { title: now.connection, cell: ({ name, type }) => `${name} (${type})` },
  {
    title: now.state,
    cell: ({ state }) => (
      <span className="badge" data-status={state === 'Failing' || state === 'Suspended' ? 'ERROR' : state}>
        {now.connectionState[state]}
      </span>
    ),
  },
  { title: now.lastSuccess, cell: ({ workers }) => formatTime(latest(workers.map((worker) => worker.lastSuccessAt))) },
  { title: now.lastFailure, cell: ({ workers }) => <LastFailure workers={workers} /> },
];

/** The client connections, and whether they work. */
export function ConnectionList() {
  const { data, error } = useQuery({
    queryKey: ['connections'],
    queryFn: ({ signal }) => callEndpoint(listConnectionHealthEndpoint, { signal }),
    refetchInterval: refreshEveryMs.live,
  });
  return (
    <Panel title={now.connections} error={error} isRead={data !== undefined}>
      <SmallTable
        label={now.connections}
        columns={columns}
        rows={data?.connections}
        empty={now.noConnections}
        keyOf={({ name }) => name}
      />
    </Panel>
  );
}

function LastFailure({ workers }: Pick<ConnectionHealthView, 'workers'>) {
  const failures = workers.flatMap(({ lastFailure }) => lastFailure ?? []);
  const last = failures.toSorted((one, other) => other.at.localeCompare(one.at))[0];
  return (
    last !== undefined && (
      <>
        <time dateTime={last.at}>{formatTime(last.at)}</time> <OutsideText text={last.message} />
      </>
    )
  );
}

function latest(times: readonly (string | null)[]): string | undefined {
  return times
    .filter((time) => time !== null)
    .toSorted()
    .at(-1);
}
