import { useQueryClient } from '@tanstack/react-query';
import {
  type SshKeyKind,
  sshKeyKinds,
  usualSshKeyComment,
} from '@waybill/contracts/configuration/connections/ssh-key-kind';
import {
  type ConnectionSshKey,
  generateConnectionSshKeyEndpoint,
} from '@waybill/contracts/endpoints/connections/connection-ssh-key-endpoints';
import { useId, useState } from 'react';
import { Button } from 'react-aria-components';
import { AppDialog } from '../../../page-kit/components/dialog.tsx';
import { Facts } from '../../../page-kit/components/facts.tsx';
import { PanelDialog } from '../../../page-kit/components/panel-dialog.tsx';
import { TextInput } from '../../../page-kit/components/text-input.tsx';
import { useAction } from '../../../page-kit/use-action.ts';
import { callEndpoint } from '../../api/call-endpoint.ts';
import { texts } from '../../texts/texts.ts';
import { OwnerField, useFirstOwner } from './owner-field.tsx';

const { secrets, configuration } = texts;

/** A button that has the platform generate an SSH key for client connections, and then shows its public part for the partner. */
export function GenerateKeyButton() {
  const [isAsked, setAsked] = useState(false);
  const [generated, setGenerated] = useState<ConnectionSshKey>();
  return (
    <>
      <Button className="button" onPress={() => setAsked(true)}>
        {secrets.generateKey}
      </Button>
      {isAsked && <GenerateDialog onGenerated={setGenerated} onClose={() => setAsked(false)} />}
      {generated !== undefined && (
        <PanelDialog title={secrets.generatedTitle(generated.name)} onClose={() => setGenerated(undefined)}>
          <p>{secrets.generatedEffect(generated.name)}</p>
          <Facts facts={[[secrets.fingerprint, generated.fingerprint]]} />
          <pre className="note" role="region" tabIndex={0} aria-label={secrets.publicKey}>
            {generated.publicKey}
          </pre>
        </PanelDialog>
      )}
    </>
  );
}

function GenerateDialog(props: {
  readonly onGenerated: (key: ConnectionSshKey) => void;
  readonly onClose: () => void;
}) {
  const { onGenerated, onClose } = props;
  const client = useQueryClient();
  const id = useId();
  const [name, setName] = useState('');
  const [actor, setActor] = useState(useFirstOwner());
  const [kind, setKind] = useState<SshKeyKind>('ed25519');
  const [comment, setComment] = useState<string>(usualSshKeyComment);
  const { isBusy, failure, run } = useAction(async () => {
    const key = await callEndpoint(generateConnectionSshKeyEndpoint, {
      params: { name: name.trim() },
      query: actor.trim() === '' ? {} : { actor: actor.trim() },
      body: { kind, comment },
      // A key that a partner knows already is not replaced by mistake.
      headers: { 'If-None-Match': '*' },
    });
    await client.invalidateQueries({ queryKey: ['configuration', 'secrets'] });
    onGenerated(key);
  }, onClose);
  return (
    <AppDialog title={secrets.generateKey} action={secrets.generate} {...{ isBusy, failure, onClose }} onAction={run}>
      <TextInput label={configuration.name} value={name} onChange={setName} autoFocus />
      <OwnerField value={actor} onChange={setActor} />
      <div className="filter-field">
        <label htmlFor={id}>{secrets.keyKind}</label>
        <select
          id={id}
          value={kind}
          onChange={({ target }) => setKind(sshKeyKinds.find((one) => one === target.value) ?? kind)}
        >
          {sshKeyKinds.map((one) => (
            <option key={one} value={one}>
              {secrets.keyKinds[one]}
            </option>
          ))}
        </select>
      </div>
      <TextInput label={secrets.keyComment} value={comment} onChange={setComment} isRequired={false} />
      <p className="quiet">{secrets.generateEffect}</p>
    </AppDialog>
  );
}
