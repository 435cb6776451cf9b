import { formatExactTime, formatTime } from '../../../page-kit/format/format-time.ts';
import { serverTime } from '../../../page-kit/format/server-clock.ts';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { Panel } from '../../frame/panel.tsx';
import { type SmallColumn, SmallTable } from '../../lists/small-table.tsx';
import { texts } from '../../texts/texts.ts';
import { type HealthRow, healthRowsOf } from './health-rows.ts';
import { usePlatformHealth } from './use-platform-health.ts';

const { health: words } = texts;

const columns: readonly SmallColumn<HealthRow>[] = [
  { title: words.part, cell: ({ name }) => <OutsideText text={name} /> },
  { title: words.state, cell: ({ state }) => <StateBadge state={state} /> },
  {
    title: words.since,
    cell: ({ since }) => since !== null && <time dateTime={since}>{formatTime(since)}</time>,
  },
  { title: words.details, text: 'long', cell: ({ details }) => <OutsideText text={details.join(' · ')} /> },
];

/** How the platform and what it needs do. */
export function PlatformHealth() {
  const { data, error, dataUpdatedAt } = usePlatformHealth(true);
  return (
    <Panel title={words.title} error={error} isRead={data !== undefined} isBroad>
      {data !== undefined && (
        <p className="quiet">
          <StateBadge state={data.state} />{' '}
          {words.answeredBy(data.answeredBy, formatExactTime(serverTime(dataUpdatedAt)))}
        </p>
      )}
      <SmallTable
        label={words.title}
        columns={columns}
        rows={data && healthRowsOf(data)}
        empty=""
        keyOf={({ key }) => key}
      />
    </Panel>
  );
}

function StateBadge({ state }: Pick<HealthRow, 'state'>) {
  return (
    <span className="badge" data-status={state === 'down' || state === 'degraded' ? 'ERROR' : state}>
      {words.states[state]}
    </span>
  );
}
