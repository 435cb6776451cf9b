import { useQuery } from '@tanstack/react-query';
import { listUserFreezesEndpoint } from '@waybill/contracts/endpoints/server-sessions/list-user-freezes';
import { formatTime } from '../../../page-kit/format/format-time.ts';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { callEndpoint } from '../../api/call-endpoint.ts';
import type { EndpointResult } from '../../api/endpoint-types.ts';
import { usePermissions } from '../../api/permissions.ts';
import { Panel } from '../../frame/panel.tsx';
import { type SmallColumn, SmallTable } from '../../lists/small-table.tsx';
import { texts } from '../../texts/texts.ts';
import { refreshEveryMs } from '../refresh.ts';
import { ThawButton } from './freeze-button.tsx';
import { UserFreeze } from './user-freeze.tsx';
import { UserLink } from './user-link.tsx';

const { now } = texts;

type Freeze = EndpointResult<typeof listUserFreezesEndpoint>['freezes'][number];

/** Frozen users that are shown. */
const shownAtMost = 200;

const columns: readonly SmallColumn<Freeze>[] = [
  {
    title: now.user,
    cell: ({ userName, actor }) =>
      actor === null ? <OutsideText text={userName} /> : <UserLink userName={userName} />,
  },
  { title: texts.configuration.actor, cell: ({ actor }) => <OutsideText text={actor ?? now.removedUser} /> },
  { title: now.since, cell: ({ frozenAt }) => <time dateTime={frozenAt}>{formatTime(frozenAt)}</time> },
  { title: now.frozenByTitle, cell: ({ frozenBy }) => <OutsideText text={frozenBy} /> },
  { title: now.frozenReason, text: 'long', cell: ({ reason }) => <OutsideText text={reason} /> },
];

const actions: SmallColumn<Freeze> = {
  title: <span className="visually-hidden">{texts.actions}</span>,
  text: 'actions',
  cell: ({ userName }) => <ThawButton userName={userName} name={`${now.thaw}: ${userName}`} />,
};

/** The users who are frozen, since when and by whom, and what thaws them. */
export function FreezeList() {
  const mayThaw = usePermissions().may('freezes:write');
  const { data, error } = useQuery({
    queryKey: ['freeze', 'list'],
    queryFn: ({ signal }) => callEndpoint(listUserFreezesEndpoint, { query: { maxItem: shownAtMost }, signal }),
    refetchInterval: refreshEveryMs.live,
  });
  return (
    <Panel title={now.frozenUsers} error={error} isRead={data !== undefined}>
      <SmallTable
        label={now.frozenUsers}
        columns={mayThaw ? [...columns, actions] : columns}
        rows={data?.freezes}
        empty={now.noFrozenUser}
        keyOf={({ userName }) => userName}
      />
      {data !== undefined && data.totalCount > data.freezes.length && (
        <p className="quiet">{now.frozenShown(data.totalCount, data.freezes.length)}</p>
      )}
      <UserFreeze />
    </Panel>
  );
}
