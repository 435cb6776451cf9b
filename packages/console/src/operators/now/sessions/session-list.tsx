import { useQuery } from '@tanstack/react-query';
import { listServerSessionsEndpoint } from '@waybill/contracts/endpoints/server-sessions/list-server-sessions';
import { formatBytes } from '../../../page-kit/format/format-bytes.ts';
import { formatTime } from '../../../page-kit/format/format-time.ts';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { visibleText } from '../../../page-kit/outside-text/visible-text.ts';
import { number } from '../../../texts/numbers.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { usePermissions } from '../../api/permissions.ts';
import { Panel } from '../../frame/panel.tsx';
import { type SmallColumn, SmallTable } from '../../lists/small-table.tsx';
import { texts } from '../../texts/texts.ts';
import { refreshEveryMs } from '../refresh.ts';
import { FreezeButton } from './freeze-button.tsx';
import { type LiveSession, TerminateButton } from './session-buttons.tsx';
import { UserLink } from './user-link.tsx';

const { now } = texts;

/** Sessions that are shown: those with a transfer come first. */
const shownAtMost = 500;

const columns: readonly SmallColumn<LiveSession>[] = [
  { title: now.user, cell: ({ userName }) => <UserLink userName={userName} /> },
  { title: now.server, cell: ({ serverName, peerName, clusterName }) => `${serverName}, ${peerName} (${clusterName})` },
  {
    title: now.address,
    text: 'whole',
    cell: ({ clientIp, clientVersion }) => (
      <span title={visibleText(clientVersion)}>{clientIp.replace(/^\//u, '')}</span>
    ),
  },
  { title: now.since, cell: ({ openedAt }) => <time dateTime={openedAt}>{formatTime(openedAt)}</time> },
  { title: now.transfer, text: 'long', cell: (session) => <Transfer {...session} /> },
  { title: now.received, isNumber: true, cell: ({ bytesReceived }) => formatBytes(bytesReceived) },
  { title: now.sent, isNumber: true, cell: ({ bytesSent }) => formatBytes(bytesSent) },
];

/** The open sessions by server and peer, with what they transfer, and what ends them: all, or those of an actor. */
export function SessionList({ actor }: { readonly actor?: string }) {
  const { may } = usePermissions();
  const { data, error } = useQuery({
    queryKey: ['sessions', 'SFTP', 'list', actor],
    queryFn: ({ signal }) => callEndpoint(listServerSessionsEndpoint, { query: { actor, maxItem: 10_000 }, signal }),
    refetchInterval: refreshEveryMs.live,
  });
  const actions: SmallColumn<LiveSession> = {
    title: <span className="visually-hidden">{texts.actions}</span>,
    text: 'actions',
    cell: (session) => (
      <span className="buttons">
        {may('sessions:delete') && <TerminateButton session={session} />}
        {may('freezes:write') && <FreezeButton userName={session.userName} isOfSession />}
      </span>
    ),
  };
  const total = data?.totalCount ?? 0;
  return (
    <Panel title={now.sessions} error={error} isRead={data !== undefined} isBroad>
      {total > 0 && <p className="quiet">{summaryOf(data?.sessions ?? [], total)}</p>}
      <SmallTable
        label={now.sessions}
        columns={may('sessions:delete') || may('freezes:write') ? [...columns, actions] : columns}
        rows={data?.sessions.toSorted(byActivity).slice(0, shownAtMost)}
        empty={now.noSessions}
        keyOf={({ sessionId }) => sessionId}
      />
    </Panel>
  );
}

function Transfer({ file, direction, bytesPerSecond }: LiveSession) {
  if (file === null) return <span className="quiet">{now.idle}</span>;
  return (
    <>
      <OutsideText text={direction === 'download' ? now.download(file) : now.upload(file)} />{' '}
      <span className="quiet">{now.rate(formatBytes(bytesPerSecond))}</span>
    </>
  );
}

/** `3 open sessions · sftp-server, peer1: 2 · sftp-server, peer2: 1`. */
function summaryOf(sessions: readonly LiveSession[], total: number): string {
  const counts = new Map<string, number>();
  for (const { serverName, peerName } of sessions) {
    const place = `${serverName}, ${peerName}`;
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  const places = [...counts]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([place, count]) => `${place}: ${number(count)}`);
  const cut = total > shownAtMost ? [now.sessionsShown(shownAtMost)] : [];
  return [now.sessionCount(total), ...places, ...cut].join(' · ');
}

/** Transfers first, the fastest of them above; then by server and peer, the oldest first. */
function byActivity(one: LiveSession, other: LiveSession): number {
  const transfers = Number(other.file !== null) - Number(one.file !== null);
  if (transfers !== 0) return transfers;
  const [a, b] = [one, other].map(({ serverName, peerName, openedAt }) => `${serverName} ${peerName} ${openedAt}`);
  return (a ?? '').localeCompare(b ?? '');
}
