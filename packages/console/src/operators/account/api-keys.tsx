import { useQuery } from '@tanstack/react-query';
import {
  type ApiKeyView,
  listApiKeysEndpoint,
  revokeApiKeyEndpoint,
} from '@waybill/contracts/endpoints/access/api-key-endpoints';
import { formatTime, formatUtcTime } from '../../page-kit/format/format-time.ts';
import { callEndpoint } from '../api/call-endpoint.ts';
import { readAllItems } from '../api/pages.ts';
import { usePermissions } from '../api/permissions.ts';
import { ConfirmButton } from '../frame/confirm-button.tsx';
import { Panel } from '../frame/panel.tsx';
import { type SmallColumn, SmallTable } from '../lists/small-table.tsx';
import { texts } from '../texts/texts.ts';
import { NewApiKeyButton } from './new-api-key.tsx';

const own = texts.account;

/** Keys that were revoked elsewhere are seen within two seconds. */
const refreshEveryMs = 1_500;

/** The API keys of a manager user, which can be revoked; the user of the page creates new ones of the user's own. */
export function ApiKeys({ userName, isOwn }: { readonly userName: string; readonly isOwn: boolean }) {
  const mayRevoke = usePermissions().mayForAll('identities:delete') || isOwn;
  const title = isOwn ? own.apiKeys : own.apiKeysOf;
  const { data, error, refetch } = useQuery({
    queryKey: ['API keys', userName],
    queryFn: ({ signal }) =>
      readAllItems((page) => callEndpoint(listApiKeysEndpoint, { query: { user: userName, ...page }, signal })),
    refetchInterval: refreshEveryMs,
  });
  const revoke = async (id: number): Promise<void> => {
    await callEndpoint(revokeApiKeyEndpoint, { params: { id } });
    await refetch();
  };
  const columns: readonly SmallColumn<ApiKeyView>[] = [
    { title: own.keyName, cell: ({ name }) => name },
    { title: own.scope, cell: ({ roles, permissions }) => [...roles, ...permissions].join(', ') },
    { title: own.actors, cell: ({ actors }) => (actors === null ? own.allActors : actors.join(', ')) },
    { title: own.networks, cell: ({ networks }) => networks?.join(', ') ?? own.anyNetwork },
    { title: own.endsAt, cell: ({ expiresAt }) => formatUtcTime(expiresAt) },
    { title: own.lastUsed, cell: ({ lastUsedAt }) => (lastUsedAt === null ? own.never : formatTime(lastUsedAt)) },
  ];
  const actions: SmallColumn<ApiKeyView> = {
    title: texts.actions,
    cell: ({ id, name }) => (
      <ConfirmButton
        label={own.revoke}
        name={own.revokeKey(name)}
        title={own.revokeKeyTitle(name)}
        isDangerous
        act={() => revoke(id)}
      />
    ),
  };
  return (
    <Panel title={title} error={error} isRead={data !== undefined}>
      {isOwn && <NewApiKeyButton />}
      <SmallTable
        label={title}
        columns={mayRevoke ? [...columns, actions] : columns}
        rows={data}
        empty={isOwn ? own.noApiKeys : own.noApiKeysOf}
        keyOf={({ id }) => id}
      />
    </Panel>
  );
}
