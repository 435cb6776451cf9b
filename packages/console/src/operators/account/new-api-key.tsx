import { useQueryClient } from '@tanstack/react-query';
import { createApiKeyEndpoint, type NewApiKey } from '@waybill/contracts/endpoints/access/api-key-endpoints';
import { permissionPatternSchema } from '@waybill/contracts/roles/permissions';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { z } from 'zod';
import { AppDialog } from '../../page-kit/components/dialog.tsx';
import { TextInput } from '../../page-kit/components/text-input.tsx';
import { useAction } from '../../page-kit/use-action.ts';
import { callEndpoint } from '../api/call-endpoint.ts';
import type { EndpointResult } from '../api/endpoint-types.ts';
import { ResultsDialog } from '../lists/results-dialog.tsx';
import { texts } from '../texts/texts.ts';

const own = texts.account.newKey;

type CreatedKey = EndpointResult<typeof createApiKeyEndpoint>;

const empty = { name: '', roles: '', permissions: '', actors: '', networks: '', expires: '' };

/** What is typed of a new key: several values of a field are separated by spaces, commas or line breaks; roles only by commas. */
type Draft = typeof empty;

/** Creates an API key of the user, and shows it once. */
export function NewApiKeyButton() {
  const [isOpen, setOpen] = useState(false);
  const [created, setCreated] = useState<CreatedKey>();
  return (
    <>
      <Button className="button" onPress={() => setOpen(true)}>
        {own.title}
      </Button>
      {isOpen && <NewKeyDialog onClose={() => setOpen(false)} onCreated={setCreated} />}
      {created !== undefined && (
        <ResultsDialog
          title={own.shownTitle(created.name)}
          action={own.copy}
          isBusy={false}
          isOver={false}
          failure={undefined}
          onAction={() => void navigator.clipboard.writeText(created.key)}
          onClose={() => setCreated(undefined)}
        >
          <p>{own.shownOnce}</p>
          <label className="filter-field">
            {own.key}
            <input readOnly spellCheck={false} value={created.key} onFocus={({ target }) => target.select()} />
          </label>
        </ResultsDialog>
      )}
    </>
  );
}

function NewKeyDialog(props: { readonly onClose: () => void; readonly onCreated: (key: CreatedKey) => void }) {
  const { onClose, onCreated } = props;
  const client = useQueryClient();
  const [draft, setDraft] = useState<Draft>(empty);
  const { isBusy, failure, run } = useAction(async () => {
    onCreated(await callEndpoint(createApiKeyEndpoint, { body: newKeyOf(draft) }));
    await client.invalidateQueries({ queryKey: ['API keys'] });
  }, onClose);
  const fields = ['name', 'roles', 'permissions', 'actors', 'networks', 'expires'] as const;
  return (
    <AppDialog title={own.title} action={own.create} {...{ isBusy, failure, onClose }} onAction={run}>
      {fields.map((name) => (
        <TextInput
          key={name}
          label={own.fields[name]}
          hint={own.hints[name]}
          value={draft[name]}
          onChange={(value) => setDraft({ ...draft, [name]: value })}
          isRequired={name === 'name'}
          autoFocus={name === 'name'}
        />
      ))}
    </AppDialog>
  );
}

/** @throws Error for a permission that there cannot be */
function newKeyOf({ name, roles, permissions, actors, networks, expires }: Draft): NewApiKey {
  const given = z.array(permissionPatternSchema).safeParse(listOf(permissions, /[\s,]+/u));
  if (!given.success) throw new Error(own.noPermission);
  const lists = {
    roles: listOf(roles, /,/u),
    permissions: given.data,
    actors: listOf(actors, /,/u),
    networks: listOf(networks, /[\s,]+/u),
  };
  return {
    name: name.trim(),
    ...(lists.roles.length > 0 && { roles: lists.roles }),
    ...(lists.permissions.length > 0 && { permissions: lists.permissions }),
    ...(lists.actors.length > 0 && { actors: lists.actors }),
    ...(lists.networks.length > 0 && { networks: lists.networks }),
    ...(expires.trim() !== '' && { expires: expires.trim() }),
  };
}

function listOf(text: string, separator: RegExp): string[] {
  return text
    .split(separator)
    .map((one) => one.trim())
    .filter((one) => one !== '');
}
