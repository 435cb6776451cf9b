import { useQuery, useQueryClient } from '@tanstack/react-query';
import { liftLoginBanEndpoint } from '@waybill/contracts/endpoints/login-bans/lift-login-ban';
import { listLoginBansEndpoint } from '@waybill/contracts/endpoints/login-bans/list-login-bans';
import { formatTime } from '../../../page-kit/format/format-time.ts';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { callEndpoint } from '../../api/call-endpoint.ts';
import type { EndpointResult } from '../../api/endpoint-types.ts';
import { usePermissions } from '../../api/permissions.ts';
import { ConfirmButton } from '../../frame/confirm-button.tsx';
import { Panel } from '../../frame/panel.tsx';
import { type SmallColumn, SmallTable } from '../../lists/small-table.tsx';
import { texts } from '../../texts/texts.ts';
import { refreshEveryMs } from '../refresh.ts';

const { now } = texts;
const { bans: words } = now;

type LoginBan = EndpointResult<typeof listLoginBansEndpoint>['bans'][number];

const columns: readonly SmallColumn<LoginBan>[] = [
  { title: now.address, cell: ({ address }) => address },
  { title: now.user, cell: ({ userName }) => (userName === null ? words.everybody : <OutsideText text={userName} />) },
  { title: words.door, cell: ({ door }) => words.doors[door] },
  { title: words.until, cell: ({ until }) => <time dateTime={until}>{formatTime(until)}</time> },
];

const actions: SmallColumn<LoginBan> = {
  title: <span className="visually-hidden">{texts.actions}</span>,
  text: 'actions',
  cell: ({ address }) => <LiftButton address={address} />,
};

/** The addresses from which logins are refused after failed ones, and what lifts a ban. */
export function BanList() {
  const mayLift = usePermissions().mayForAll('bans:delete');
  const { data, error } = useQuery({
    queryKey: ['login bans'],
    queryFn: ({ signal }) => callEndpoint(listLoginBansEndpoint, { signal }),
    refetchInterval: refreshEveryMs.live,
  });
  return (
    <Panel title={words.title} error={error} isRead={data !== undefined}>
      <SmallTable
        label={words.title}
        columns={mayLift ? [...columns, actions] : columns}
        rows={data?.bans}
        empty={words.none}
        keyOf={({ door, address, userName }) => JSON.stringify([door, address, userName])}
      />
    </Panel>
  );
}

function LiftButton({ address }: { readonly address: string }) {
  const client = useQueryClient();
  const lift = async (): Promise<void> => {
    await callEndpoint(liftLoginBanEndpoint, { params: { address } });
    await client.invalidateQueries({ queryKey: ['login bans'] });
  };
  return (
    <ConfirmButton label={words.lift} name={words.liftOf(address)} title={words.liftTitle(address)} act={lift}>
      <p>{words.liftEffect}</p>
    </ConfirmButton>
  );
}
