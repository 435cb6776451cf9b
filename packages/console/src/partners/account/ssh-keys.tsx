import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { OwnSshKey } from '@waybill/contracts/endpoints/users/ssh-key';
import { Button } from 'react-aria-components';
import { AppDialog } from '../../page-kit/components/dialog.tsx';
import { Facts } from '../../page-kit/components/facts.tsx';
import { Failure } from '../../page-kit/components/failure.tsx';
import { type KeptDialogState, useKeptDialog } from '../../page-kit/components/kept-dialogs.tsx';
import { formatTime } from '../../page-kit/format/format-time.ts';
import { useAction } from '../../page-kit/use-action.ts';
import { deleteSshKey, listSshKeys } from '../api/account.ts';
import { texts } from '../texts.ts';
import { NewKeyForm } from './new-key-form.tsx';

const queryKey = ['account', 'ssh-keys'];

/** The user's SSH keys: listed, added and deleted as the account policy allows. */
export function SshKeys() {
  const client = useQueryClient();
  const { data, error } = useQuery({ queryKey, queryFn: ({ signal }) => listSshKeys(signal) });
  const refresh = (): void => void client.invalidateQueries({ queryKey });
  if (error !== null) return <Failure>{error.message}</Failure>;
  if (data === undefined) return <p role="status">{texts.loading}</p>;
  return (
    <>
      {data.keys.length === 0 && <p>{texts.noSshKeys}</p>}
      <ul className="keys">
        {data.keys.map((key) => (
          <KeyItem key={key.id} sshKey={key} onDeleted={refresh} />
        ))}
      </ul>
      {data.rules.allowed ? <NewKeyForm rules={data.rules} onAdded={refresh} /> : <p>{texts.sshKeysNotAllowed}</p>}
    </>
  );
}

function KeyItem({ sshKey, onDeleted }: { readonly sshKey: OwnSshKey; readonly onDeleted: () => void }) {
  const open = useKeptDialog();
  const { fingerprint, key, comment = '', origin, addedAt, expires, lastUsedAt } = sshKey;
  return (
    <li>
      <Facts
        facts={[
          [texts.fingerprint, fingerprint],
          [texts.keyType, key.split(' ', 1).join('')],
          [texts.comment, comment],
          [texts.keyOrigin, origin === 'own' ? texts.ownKey : texts.configuredKey],
          [texts.added, formatTime(addedAt)],
          [texts.columnExpires, formatTime(expires)],
          [texts.lastUsed, formatTime(lastUsedAt)],
        ]}
      />
      {origin === 'own' && (
        <Button
          className="button danger"
          aria-label={`${texts.remove}: ${comment || fingerprint}`}
          onPress={() => open((state) => <DeleteKeyDialog sshKey={sshKey} onDone={onDeleted} {...state} />)}
        >
          {texts.remove}
        </Button>
      )}
    </li>
  );
}

interface DeleteKeyDialogProps extends KeptDialogState {
  readonly sshKey: OwnSshKey;
  readonly onDone: () => void;
}

function DeleteKeyDialog({ sshKey, onDone, isOutdated, onClose }: DeleteKeyDialogProps) {
  const { id, fingerprint, comment } = sshKey;
  const { isBusy, failure, run } = useAction(
    () => deleteSshKey(id),
    () => {
      onClose();
      onDone();
    },
  );
  return (
    <AppDialog
      title={texts.deleteKeyTitle}
      action={texts.remove}
      isBusy={isBusy}
      failure={failure}
      isDangerous
      isOutdated={isOutdated}
      onAction={run}
      onClose={onClose}
    >
      <p>{texts.deleteKeyWarning}</p>
      <p className="names">
        {comment} <code>{fingerprint}</code>
      </p>
    </AppDialog>
  );
}
