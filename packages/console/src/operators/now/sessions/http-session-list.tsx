import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  endHttpSessionEndpoint,
  type HttpSessionView,
  listHttpSessionsEndpoint,
} from '@waybill/contracts/endpoints/server-sessions/http-session-endpoints';
import { Facts } from '../../../page-kit/components/facts.tsx';
import { formatExactTime, formatTime } from '../../../page-kit/format/format-time.ts';
import { shortClient } from '../../../page-kit/format/short-client.ts';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { visibleText } from '../../../page-kit/outside-text/visible-text.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { usePermissions } from '../../api/permissions.ts';
import { ConfirmButton } from '../../frame/confirm-button.tsx';
import { Panel } from '../../frame/panel.tsx';
import { type SmallColumn, SmallTable } from '../../lists/small-table.tsx';
import { texts } from '../../texts/texts.ts';
import { refreshEveryMs } from '../refresh.ts';
import { FreezeButton } from './freeze-button.tsx';
import { UserLink } from './user-link.tsx';

const { now } = texts;
const { httpSessions: words } = now;

const shownAtMost = 200;

const columns: readonly SmallColumn<HttpSessionView>[] = [
  { title: now.user, cell: ({ userName }) => <UserLink userName={userName} /> },
  { title: now.address, text: 'whole', cell: ({ address }) => address ?? words.unknown },
  {
    title: words.client,
    cell: ({ client }) => (
      <span title={visibleText(client ?? '')}>
        <OutsideText text={client === null ? words.unknown : shortClient(client)} />
      </span>
    ),
  },
  { title: now.since, cell: ({ openedAt }) => <time dateTime={openedAt}>{formatTime(openedAt)}</time> },
  { title: words.server, cell: ({ serverName, peerName }) => `${serverName}, ${peerName}` },
];

/** Who is logged in over HTTP, and what ends these sessions: everybody, or the users of an actor. */
export function HttpSessionList({ actor }: { readonly actor?: string }) {
  const { may } = usePermissions();
  const [mayEnd, mayFreeze] = [may('sessions:delete'), may('freezes:write')];
  const { data, error } = useQuery({
    queryKey: ['sessions', 'HTTP', 'list', actor],
    queryFn: ({ signal }) => callEndpoint(listHttpSessionsEndpoint, { query: { actor, maxItem: shownAtMost }, signal }),
    refetchInterval: refreshEveryMs.live,
  });
  const actions: SmallColumn<HttpSessionView> = {
    title: <span className="visually-hidden">{texts.actions}</span>,
    text: 'actions',
    cell: (session) => (
      <span className="buttons">
        {mayEnd && <EndButton session={session} />}
        {mayFreeze && <FreezeButton userName={session.userName} isOfSession />}
      </span>
    ),
  };
  const total = data?.totalCount ?? 0;
  return (
    <Panel title={words.title} error={error} isRead={data !== undefined} isBroad>
      {total > shownAtMost && <p className="quiet">{words.shown(total, shownAtMost)}</p>}
      <SmallTable
        label={words.title}
        columns={mayEnd || mayFreeze ? [...columns, actions] : columns}
        rows={data?.sessions}
        empty={words.none}
        keyOf={({ sessionId }) => sessionId}
      />
    </Panel>
  );
}

function EndButton({ session }: { readonly session: HttpSessionView }) {
  const { sessionId, userName, address, client: software, openedAt, serverName, peerName } = session;
  const client = useQueryClient();
  const end = async (): Promise<void> => {
    await callEndpoint(endHttpSessionEndpoint, { params: { sessionId } });
    await client.invalidateQueries({ queryKey: ['sessions', 'HTTP'] });
  };
  return (
    <ConfirmButton
      label={now.terminate}
      name={words.end(userName, address ?? words.unknown, formatExactTime(openedAt))}
      title={words.endTitle(userName)}
      isDangerous
      outdated={now.sessionEnded}
      act={end}
    >
      <Facts
        facts={[
          [now.address, address ?? words.unknown],
          [words.client, software ?? words.unknown],
          [now.since, formatTime(openedAt)],
          [words.server, `${serverName}, ${peerName}`],
        ]}
      />
      <p>{words.endEffect}</p>
    </ConfirmButton>
  );
}
