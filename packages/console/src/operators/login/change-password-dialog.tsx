import { useState } from 'react';
import { AppDialog } from '../../page-kit/components/dialog.tsx';
import { TextInput } from '../../page-kit/components/text-input.tsx';
import { useAction } from '../../page-kit/use-action.ts';
import { texts } from '../texts/texts.ts';
import { changePassword } from './change-password.ts';
import { NewPasswordFields } from './new-password-fields.tsx';

/** Changes the password of the user who is logged in. */
export function ChangePasswordDialog({
  userName: username,
  onClose,
}: {
  readonly userName: string;
  readonly onClose: () => void;
}) {
  const [currentPassword, setCurrent] = useState('');
  const [chosen, setChosen] = useState({ newPassword: '', repeated: '' });
  const { isBusy, failure, run } = useAction(() => changePassword({ username, currentPassword, ...chosen }), onClose);
  return (
    <AppDialog
      title={texts.changePassword}
      action={texts.changePassword}
      isBusy={isBusy}
      failure={failure}
      onAction={run}
      onClose={onClose}
    >
      <TextInput
        label={texts.password}
        value={currentPassword}
        onChange={setCurrent}
        type="password"
        autoComplete="current-password"
        autoFocus
      />
      <NewPasswordFields value={chosen} onChange={setChosen} />
    </AppDialog>
  );
}
