import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { z } from 'zod';
import { BusyButton } from '../../../page-kit/components/busy-button.tsx';
import { TextInput } from '../../../page-kit/components/text-input.tsx';
import { basePath } from '../../address/console-links.tsx';
import { Failure, PageFrame } from '../../frame/page-frame.tsx';
import { UnsavedGuard } from '../../frame/unsaved-guard.tsx';
import { texts } from '../../texts/texts.ts';
import { Review } from '../changes/review.tsx';
import { findCollection } from '../stored/collection.ts';
import { listObjects } from '../stored/objects.ts';
import { createPartner, type NewPartner, previewPartner, usualContractName, usualFilesName } from './new-partner.ts';

const { partners, configuration } = texts;

const empty: NewPartner = {
  actor: '',
  user: '',
  password: '',
  publicKey: '',
  files: '',
  folders: '/inbox\n/outbox',
  contract: '',
  server: '',
};

/** Creates a partner with a user, files and access in one step, after a look at what is created. */
export function NewPartnerPage() {
  const { history } = useRouter();
  const client = useQueryClient();
  const servers = useServers();
  const [given, setGiven] = useState(empty);
  const whole = { ...given, server: given.server || (servers[0] ?? '') };
  const preview = useMutation({ mutationFn: previewPartner });
  const create = useMutation({
    mutationFn: createPartner,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['configuration'] });
      history.push(`${basePath}/partners/${encodeURIComponent(whole.actor.trim())}`);
    },
  });
  const { data: planned } = preview;
  return (
    <PageFrame title={partners.newTitle}>
      <UnsavedGuard isUnsaved={given !== empty && !create.isPending && !create.isSuccess} />
      <form
        className="editor"
        onSubmit={(event) => {
          event.preventDefault();
          if (planned === undefined) preview.mutate(whole);
          else create.mutate(whole);
        }}
      >
        <p className="quiet">{partners.newHint}</p>
        <Fields
          given={whole}
          servers={servers}
          onChange={(change) => {
            preview.reset();
            create.reset();
            setGiven({ ...given, ...change });
          }}
        />
        <Failure error={preview.error ?? create.error} />
        {planned !== undefined && <Review preview={planned} />}
        <div className="buttons">
          <BusyButton className="button primary" type="submit" isBusy={preview.isPending || create.isPending}>
            {planned === undefined ? configuration.review : partners.create}
          </BusyButton>
        </div>
      </form>
    </PageFrame>
  );
}

function Fields(props: {
  readonly given: NewPartner;
  readonly servers: readonly string[];
  readonly onChange: (change: Partial<NewPartner>) => void;
}) {
  const { given, servers, onChange } = props;
  const id = useId();
  const { actor } = given;
  const field = (name: keyof NewPartner, label: string, more: Partial<Parameters<typeof TextInput>[0]> = {}) => (
    <TextInput
      label={label}
      value={given[name]}
      onChange={(value) => onChange({ [name]: value })}
      isRequired={false}
      {...more}
    />
  );
  return (
    <>
      {field('actor', partners.actorName, { isRequired: true })}
      {field('user', partners.userName, { hint: partners.usualName(actor) })}
      {field('password', partners.password, { type: 'password', autoComplete: 'new-password' })}
      {field('publicKey', partners.publicKey, { hasLines: true })}
      {field('files', partners.filesName, { hint: partners.usualName(actor && usualFilesName(actor)) })}
      {field('folders', partners.folders, { hasLines: true, hint: partners.foldersHint })}
      <div className="field">
        <label htmlFor={id}>{partners.server}</label>
        <select id={id} value={given.server} onChange={({ target }) => onChange({ server: target.value })}>
          {servers.map((server) => (
            <option key={server} value={server}>
              {server}
            </option>
          ))}
        </select>
      </div>
      {field('contract', partners.contractName, {
        hint: partners.usualName(actor && usualContractName(actor, given.server.split(' ')[1] ?? '')),
      })}
    </>
  );
}

const clusterSchema = z.looseObject({ name: z.string(), servers: z.array(z.looseObject({ name: z.string() })) });

/** The servers of all clusters: `cluster1 sftp-server`. */
function useServers(): readonly string[] {
  const resource = findCollection('clusters');
  const { data } = useQuery({
    queryKey: ['configuration', 'clusters', 'servers'],
    queryFn: async ({ signal }) => {
      if (resource === undefined) return [];
      const { rows } = await listObjects(resource, {}, { cursor: undefined, signal });
      return z.array(clusterSchema).parse(rows);
    },
  });
  return (data ?? []).flatMap(({ name, servers }) => servers.map((server) => `${name} ${server.name}`));
}
