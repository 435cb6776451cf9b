import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  deleteSecretEndpoint,
  listSecretsEndpoint,
  storeSecretEndpoint,
} from '@waybill/contracts/endpoints/administration/secret-endpoints';
import { useState } from 'react';
import { Button, Link } from 'react-aria-components';
import { AppDialog } from '../../../page-kit/components/dialog.tsx';
import { type KeptDialogState, useKeptDialog } from '../../../page-kit/components/kept-dialogs.tsx';
import { TextInput } from '../../../page-kit/components/text-input.tsx';
import { formatTime } from '../../../page-kit/format/format-time.ts';
import { OutsideText } from '../../../page-kit/outside-text/outside-text.tsx';
import { useAction } from '../../../page-kit/use-action.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import type { EndpointResult } from '../../api/endpoint-types.ts';
import { readAllItems } from '../../api/pages.ts';
import { usePermissions } from '../../api/permissions.ts';
import { ConfirmButton } from '../../frame/confirm-button.tsx';
import { Failure, PageFrame } from '../../frame/page-frame.tsx';
import { SmallTable } from '../../lists/small-table.tsx';
import { texts } from '../../texts/texts.ts';
import { GenerateKeyButton } from './generate-key.tsx';
import { OwnerField, useFirstOwner } from './owner-field.tsx';
import { type SecretUse, useSecretUses } from './secret-uses.ts';
import { SecretValue, storedValue } from './secret-value.tsx';

const { secrets, configuration } = texts;

type Secret = EndpointResult<typeof listSecretsEndpoint>['items'][number];

/** The secrets by owner and name, with what uses them. Values are only written. */
export function SecretsPage() {
  const { may } = usePermissions();
  const { data, error } = useQuery({
    queryKey: ['configuration', 'secrets'],
    queryFn: ({ signal }) => readAllItems((query) => callEndpoint(listSecretsEndpoint, { query, signal })),
    refetchInterval: 1_500,
  });
  const uses = useSecretUses();
  return (
    <PageFrame
      title={secrets.title}
      actions={
        may('configuration:write') && (
          <div className="buttons">
            <StoreButton label={secrets.store} secret={undefined} />
            <GenerateKeyButton />
          </div>
        )
      }
    >
      <p className="quiet">{secrets.hint}</p>
      <Failure error={error ?? uses.error} isRead={data !== undefined} />
      <SmallTable
        label={secrets.title}
        rows={data}
        empty={secrets.none}
        keyOf={({ name, actor }) => `${actor ?? ''}/${name}`}
        columns={[
          { title: configuration.name, cell: ({ name }) => <OutsideText text={name} /> },
          { title: configuration.actor, cell: ({ actor }) => <OutsideText text={actor ?? secrets.platform} /> },
          {
            title: secrets.updated,
            cell: ({ updatedAt }) => <time dateTime={updatedAt}>{formatTime(updatedAt)}</time>,
          },
          { title: secrets.key, cell: ({ keyId }) => <OutsideText text={keyId} /> },
          { title: configuration.usedBy, cell: (secret) => <Uses uses={uses.of(secret)} /> },
          {
            title: <span className="visually-hidden">{texts.actions}</span>,
            text: 'actions',
            cell: (secret) => <SecretButtons secret={secret} uses={uses.of(secret)} />,
          },
        ]}
      />
    </PageFrame>
  );
}

function SecretButtons({ secret, uses }: { readonly secret: Secret; readonly uses: readonly SecretUse[] }) {
  const { may } = usePermissions();
  return (
    <span className="buttons">
      {may('configuration:write') && <StoreButton label={secrets.replace} secret={secret} />}
      {may('configuration:delete') && <RemoveButton secret={secret} uses={uses} />}
    </span>
  );
}

function Uses({ uses }: { readonly uses: readonly SecretUse[] }) {
  return uses.map(({ href, title }) => (
    <div key={href}>
      <Link href={href}>
        <OutsideText text={title} />
      </Link>
    </div>
  ));
}

function StoreButton({ label, secret }: { readonly label: string; readonly secret: Secret | undefined }) {
  const open = useKeptDialog();
  return (
    <Button
      className={secret === undefined ? 'button' : 'button small'}
      aria-label={secret === undefined ? label : `${label}: ${secret.name}`}
      onPress={() => open((state) => <StoreDialog secret={secret} {...state} />)}
    >
      {label}
    </Button>
  );
}

/** The value is forgotten when the dialog closes. */
function StoreDialog({
  secret,
  isOutdated,
  onClose,
}: KeptDialogState & {
  readonly secret: Secret | undefined;
}) {
  const client = useQueryClient();
  const [name, setName] = useState(secret?.name ?? '');
  const firstOwner = useFirstOwner();
  const [actor, setActor] = useState(secret?.actor ?? (secret === undefined ? firstOwner : ''));
  const [value, setValue] = useState('');
  const { isBusy, failure, run } = useAction(async () => {
    const query = actor.trim() === '' ? {} : { actor: actor.trim() };
    await callEndpoint(storeSecretEndpoint, {
      params: { name: name.trim() },
      query,
      body: { value: storedValue(value) },
    });
    await client.invalidateQueries({ queryKey: ['configuration', 'secrets'] });
  }, onClose);
  return (
    <AppDialog
      title={secret === undefined ? secrets.store : secrets.replaceTitle(secret.name)}
      action={secrets.store}
      // Storing it would create it again: not what this dialog was opened for.
      isOutdated={isOutdated}
      {...{ isBusy, failure, onClose }}
      onAction={run}
    >
      {secret === undefined && (
        <>
          <TextInput label={configuration.name} value={name} onChange={setName} autoFocus />
          <OwnerField value={actor} onChange={setActor} />
        </>
      )}
      <SecretValue value={value} onChange={setValue} autoFocus={secret !== undefined} />
      <p className="quiet">{secrets.storeEffect}</p>
    </AppDialog>
  );
}

function RemoveButton({ secret, uses }: { readonly secret: Secret; readonly uses: readonly SecretUse[] }) {
  const client = useQueryClient();
  const { name, actor } = secret;
  return (
    <ConfirmButton
      label={configuration.remove}
      name={`${configuration.remove}: ${name}`}
      title={configuration.removeTitle(name)}
      isDangerous
      act={async () => {
        // The dialog has shown what uses it. What began to use it meanwhile is an error.
        const force = uses.length > 0 ? ({ force: 'true' } as const) : {};
        const query = { ...(actor !== null && { actor }), ...force };
        await callEndpoint(deleteSecretEndpoint, { params: { name }, query });
        await client.invalidateQueries({ queryKey: ['configuration', 'secrets'] });
      }}
    >
      <p>{uses.length === 0 ? secrets.unused : secrets.removeEffect}</p>
      <Uses uses={uses} />
    </ConfirmButton>
  );
}
