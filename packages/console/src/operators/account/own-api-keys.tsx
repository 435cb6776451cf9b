import { useQuery } from '@tanstack/react-query';
import {
  type ApiKeyView,
  listApiKeysEndpoint,
  revokeApiKeyEndpoint,
} from '@waybill/contracts/endpoints/access/api-key-endpoints';
import { formatTime } from '../../page-kit/format/format-time.ts';
import { callEndpoint } from '../api/call-endpoint.ts';
import { readAllItems } from '../api/pages.ts';
import { ConfirmButton } from '../frame/confirm-button.tsx';
import { Panel } from '../frame/panel.tsx';
import { type SmallColumn, SmallTable } from '../lists/small-table.tsx';
import { texts } from '../texts/texts.ts';
import { NewApiKeyButton } from './new-api-key.tsx';

const own = texts.account;

/** The user's own API keys, which the user can revoke. */
export function OwnApiKeys({ userName }: { readonly userName: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['own API keys', userName],
    queryFn: ({ signal }) =>
      readAllItems((page) => callEndpoint(listApiKeysEndpoint, { query: { user: userName, ...page }, signal })),
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
    { title: own.endsAt, cell: ({ expiresAt }) => formatTime(expiresAt) },
    { title: own.lastUsed, cell: ({ lastUsedAt }) => (lastUsedAt === null ? own.never : formatTime(lastUsedAt)) },
    {
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
    },
  ];
  return (
    <Panel title={own.apiKeys} error={error}>
      <NewApiKeyButton />
      <SmallTable label={own.apiKeys} columns={columns} rows={data} empty={own.noApiKeys} keyOf={({ id }) => id} />
    </Panel>
  );
}
