import { useQuery } from '@tanstack/react-query';
import {
  listOutsideNamesEndpoint,
  type OutsideNameView,
  releaseOutsideNameEndpoint,
} from '@waybill/contracts/endpoints/access/outside-name-endpoints';
import { formatTime } from '../../../page-kit/format/format-time.ts';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { readAllItems } from '../../api/pages.ts';
import { usePermissions } from '../../api/permissions.ts';
import { ConfirmButton } from '../../frame/confirm-button.tsx';
import { Panel } from '../../frame/panel.tsx';
import { type SmallColumn, SmallTable } from '../../lists/small-table.tsx';
import { texts } from '../../texts/texts.ts';

const { outsideNames } = texts.partners;

const columns: readonly SmallColumn<OutsideNameView>[] = [
  { title: outsideNames.name, cell: ({ name }) => <OutsideText text={name} /> },
  { title: outsideNames.subject, text: 'long', cell: ({ subject }) => <OutsideText text={subject} /> },
  { title: outsideNames.issuer, text: 'long', cell: ({ issuer }) => <OutsideText text={issuer} /> },
  { title: outsideNames.boundAt, cell: ({ boundAt }) => <time dateTime={boundAt}>{formatTime(boundAt)}</time> },
  {
    title: outsideNames.lastLogin,
    cell: ({ lastLoginAt }) => <time dateTime={lastLoginAt}>{formatTime(lastLoginAt)}</time>,
  },
];

/** Whose the names of users of an issuer of OpenID Connect are, who are in no configuration, and what takes a name from its subject. */
export function OutsideNames() {
  const { mayForAll } = usePermissions();
  const { data, error, refetch } = useQuery({
    queryKey: ['outside names'],
    queryFn: ({ signal }) => readAllItems((query) => callEndpoint(listOutsideNamesEndpoint, { query, signal })),
    enabled: mayForAll('identities:read'),
  });
  const actions: SmallColumn<OutsideNameView> = {
    title: <span className="visually-hidden">{texts.actions}</span>,
    text: 'actions',
    cell: ({ name }) => (
      <ConfirmButton
        label={outsideNames.release}
        name={outsideNames.releaseName(name)}
        title={outsideNames.releaseTitle(name)}
        isDangerous
        act={async () => {
          await callEndpoint(releaseOutsideNameEndpoint, { params: { name } });
          await refetch();
        }}
      >
        <p>{outsideNames.releaseEffect}</p>
      </ConfirmButton>
    ),
  };
  return (
    <Panel title={outsideNames.title} error={error} isRead={data !== undefined} isBroad>
      <SmallTable
        label={outsideNames.title}
        columns={mayForAll('identities:delete') ? [...columns, actions] : columns}
        rows={data}
        empty={outsideNames.none}
        keyOf={({ name }) => name}
      />
    </Panel>
  );
}
