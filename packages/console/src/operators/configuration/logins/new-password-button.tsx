import { useQueryClient } from '@tanstack/react-query';
import type { AdministeredResource } from '@waybill/contracts/endpoints/administration/resource';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { AppDialog } from '../../../page-kit/components/dialog.tsx';
import { type KeptDialogState, useKeptDialog } from '../../../page-kit/components/kept-dialogs.tsx';
import { useAction } from '../../../page-kit/use-action.ts';
import { NewPasswordFields } from '../../login/new-password-fields.tsx';
import { texts } from '../../texts/texts.ts';
import { findObject, type ObjectAddress, patchObject } from '../stored/objects.ts';

const { partners } = texts;

interface NewPasswordProps {
  readonly resource: AdministeredResource;
  readonly address: ObjectAddress;
}

/** Sets another password for a user, which is not shown while it is typed. */
export function NewPasswordButton(props: NewPasswordProps) {
  const open = useKeptDialog();
  return (
    <Button className="button small" onPress={() => open((state) => <NewPasswordDialog {...props} {...state} />)}>
      {texts.newPassword}
    </Button>
  );
}

function NewPasswordDialog({ resource, address, isOutdated, onClose }: NewPasswordProps & KeptDialogState) {
  const client = useQueryClient();
  const [chosen, setChosen] = useState({ newPassword: '', repeated: '' });
  const [isFirst, setFirst] = useState(true);
  const set = async (): Promise<void> => {
    if (chosen.newPassword !== chosen.repeated) throw new Error(texts.passwordsDiffer);
    // The other settings stay as they are, whatever they are by now.
    const { etag } = await findObject(resource, address);
    const patch = { password: chosen.newPassword, passwordChangeRequired: isFirst };
    await patchObject(resource, address, { patch, etag, isTrial: false });
    await client.invalidateQueries({ queryKey: ['configuration'] });
  };
  const { isBusy, failure, run } = useAction(set, onClose);
  return (
    <AppDialog
      title={partners.newPasswordOf(address.name)}
      action={partners.setPassword}
      {...{ isBusy, failure, isOutdated, onClose }}
      onAction={run}
    >
      <NewPasswordFields value={chosen} onChange={setChosen} />
      <label className="choice">
        <input type="checkbox" checked={isFirst} onChange={({ target }) => setFirst(target.checked)} />{' '}
        {partners.mustChangePassword}
      </label>
      <p className="quiet">{partners.newPasswordEffect}</p>
    </AppDialog>
  );
}
