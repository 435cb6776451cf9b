import { useQuery } from '@tanstack/react-query';
import { listExpiriesEndpoint } from '@waybill/contracts/endpoints/administration/list-expiries';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { readAllItems } from '../../api/pages.ts';
import { Panel } from '../../frame/panel.tsx';
import { SmallTable } from '../../lists/small-table.tsx';
import { texts } from '../../texts/texts.ts';
import type { ObjectAddress } from '../stored/objects.ts';
import { expiryColumns } from './expiry-columns.tsx';

const { secrets } = texts;

const kinds: ReadonlySet<string> = new Set(['connection-ssh-key', 'connection-certificate']);

/** What expires of a client connection: its private key, and the certificates that it trusts, by their subjects. */
export function ConnectionExpiries({ address: { name, actor } }: { readonly address: ObjectAddress }) {
  const { data, error } = useQuery({
    queryKey: ['configuration', 'expiries', 'of connection', name, actor],
    queryFn: ({ signal }) =>
      readAllItems((page) => callEndpoint(listExpiriesEndpoint, { query: { actor, ...page }, signal })),
  });
  const ofConnection = data?.filter(
    (expiry) => kinds.has(expiry.kind) && expiry.name === name && expiry.actor === (actor ?? null),
  );
  return (
    <Panel title={secrets.connectionExpiries} error={error} isRead={data !== undefined}>
      <SmallTable
        label={secrets.connectionExpiries}
        rows={ofConnection}
        empty={secrets.noConnectionExpiry}
        keyOf={({ kind, detail, expiresAt }) => `${kind} ${detail} ${expiresAt ?? ''}`}
        columns={[
          ...expiryColumns,
          { title: secrets.detail, text: 'long', cell: ({ detail }) => <OutsideText text={detail} /> },
        ]}
      />
    </Panel>
  );
}
