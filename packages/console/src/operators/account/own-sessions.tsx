import { useQuery } from '@tanstack/react-query';
import {
  listLoginSessionsEndpoint,
  type LoginSessionView,
  revokeLoginSessionEndpoint,
} from '@waybill/contracts/endpoints/access/login-session-endpoints';
import { formatTime } from '../../page-kit/format/format-time.ts';
import { callEndpoint } from '../api/call-endpoint.ts';
import { readAllItems } from '../api/pages.ts';
import { ConfirmButton } from '../frame/confirm-button.tsx';
import { Panel } from '../frame/panel.tsx';
import { type SmallColumn, SmallTable } from '../lists/small-table.tsx';
import { texts } from '../texts/texts.ts';

const own = texts.account;

/** Logins that began or ended elsewhere are seen within two seconds. */
const refreshEveryMs = 1_500;

/** The user's own logins that have not ended, which the user can end. */
export function OwnSessions({ userName }: { readonly userName: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['own sessions', userName],
    queryFn: ({ signal }) =>
      readAllItems((page) => callEndpoint(listLoginSessionsEndpoint, { query: { user: userName, ...page }, signal })),
    refetchInterval: refreshEveryMs,
  });
  const end = async (id: number): Promise<void> => {
    await callEndpoint(revokeLoginSessionEndpoint, { params: { id } });
    await refetch();
  };
  const columns: readonly SmallColumn<LoginSessionView>[] = [
    { title: own.loggedInAt, cell: ({ loggedInAt }) => formatTime(loggedInAt) },
    { title: own.address, cell: ({ address }) => address },
    { title: own.endsAt, cell: ({ expiresAt }) => formatTime(expiresAt) },
    {
      title: texts.actions,
      cell: ({ id, current, address }) =>
        current ? (
          own.thisSession
        ) : (
          <ConfirmButton
            label={own.endSession}
            name={own.endSessionFrom(address ?? '', id)}
            title={own.endSessionTitle}
            isDangerous
            act={() => end(id)}
          />
        ),
    },
  ];
  return (
    <Panel title={own.sessions} error={error} isRead={data !== undefined}>
      <SmallTable label={own.sessions} columns={columns} rows={data} empty={own.noSessions} keyOf={({ id }) => id} />
    </Panel>
  );
}
