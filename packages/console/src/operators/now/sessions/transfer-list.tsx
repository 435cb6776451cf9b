import { useQuery, useQueryClient } from '@tanstack/react-query';
import { endRunningTransferEndpoint } from '@waybill/contracts/endpoints/server-sessions/end-running-transfer';
import { listRunningTransfersEndpoint } from '@waybill/contracts/endpoints/server-sessions/list-running-transfers';
import type { RunningTransferView } from '@waybill/contracts/endpoints/server-sessions/running-transfer';
import { Link } from 'react-aria-components';
import { formatBytes } from '../../../page-kit/format/format-bytes.ts';
import { formatTime } from '../../../page-kit/format/format-time.ts';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { usePermissions } from '../../api/permissions.ts';
import { ConfirmButton } from '../../frame/confirm-button.tsx';
import { Panel } from '../../frame/panel.tsx';
import { type SmallColumn, SmallTable } from '../../lists/small-table.tsx';
import { texts } from '../../texts/texts.ts';
import { refreshEveryMs } from '../refresh.ts';
import { UserLink } from './user-link.tsx';

const { now, transfers: words } = texts;

const shownAtMost = 200;

const columns: readonly SmallColumn<RunningTransferView>[] = [
  { title: now.user, cell: ({ userName }) => <UserLink userName={userName} /> },
  {
    title: words.file,
    text: 'long',
    cell: ({ direction, path }) => (
      <OutsideText text={(direction === 'upload' ? now.upload : now.download)(path ?? words.unknown)} />
    ),
  },
  { title: words.transferred, isNumber: true, cell: ({ bytes }) => formatBytes(bytes) },
  { title: words.rate, isNumber: true, cell: ({ bytesPerSecond }) => now.rate(formatBytes(bytesPerSecond)) },
  { title: now.since, cell: ({ since }) => <time dateTime={since}>{formatTime(since)}</time> },
  { title: words.protocol, cell: ({ protocol }) => protocol },
  { title: now.server, cell: ({ serverName, peerName, clusterName }) => `${serverName}, ${peerName} (${clusterName})` },
  { title: now.address, text: 'whole', cell: ({ clientAddress }) => clientAddress },
];

const actions: SmallColumn<RunningTransferView> = {
  title: <span className="visually-hidden">{texts.actions}</span>,
  text: 'actions',
  cell: (transfer) => <EndButton transfer={transfer} />,
};

/** The transfers that run now, and what ends them. */
export function TransferList() {
  const mayEnd = usePermissions().may('sessions:delete');
  const { data, error } = useQuery({
    queryKey: ['transfers'],
    queryFn: ({ signal }) => callEndpoint(listRunningTransfersEndpoint, { query: { maxItem: shownAtMost }, signal }),
    refetchInterval: refreshEveryMs.live,
  });
  const total = data?.totalCount ?? 0;
  return (
    <Panel title={words.title} error={error} isRead={data !== undefined} isBroad>
      {total > shownAtMost && <p className="quiet">{words.count(total, shownAtMost)}</p>}
      <SmallTable
        label={words.title}
        columns={mayEnd ? [...columns, actions] : columns}
        rows={data?.transfers}
        empty={words.none}
        keyOf={({ transferId, path }) => `${transferId} ${path ?? ''}`}
      />
      <p>
        <Link href="/uploads">{texts.uploads.all}</Link>
      </p>
    </Panel>
  );
}

function EndButton({
  transfer: { transferId, protocol, userName, path, direction },
}: {
  readonly transfer: RunningTransferView;
}) {
  const client = useQueryClient();
  const end = async (): Promise<void> => {
    await callEndpoint(endRunningTransferEndpoint, { params: { transferId } });
    await client.invalidateQueries({ queryKey: ['transfers'] });
  };
  const file = path ?? words.unknown;
  return (
    <ConfirmButton
      label={now.terminate}
      name={words.end[direction](file)}
      title={words.endTitle[direction](file, userName)}
      isDangerous
      outdated={words.ended}
      act={end}
    >
      <p>{words.endEffect[protocol]}</p>
    </ConfirmButton>
  );
}
