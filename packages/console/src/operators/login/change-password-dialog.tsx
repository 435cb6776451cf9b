import { useState } from 'react';
import { AppDialog } from '../../page-kit/components/dialog.tsx';
import { TextInput } from '../../page-kit/components/text-input.tsx';
import { useOwnSecondFactor } from '../../page-kit/second-factor/own-second-factor.ts';
import { useAction } from '../../page-kit/use-action.ts';
import { secondFactorApi } from '../api/second-factor-api.ts';
import { closeSession, logIn } from '../api/session.ts';
import { texts } from '../texts/texts.ts';
import { changePassword, passwordIsSet } from './change-password.ts';
import { CodeField } from './code-field.tsx';
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
  const [code, setCode] = useState('');
  const { data: factor } = useOwnSecondFactor(secondFactorApi);
  const change = async (): Promise<void> => {
    await changePassword({ username, currentPassword, code, ...chosen });
    // The change has ended this login, too. The code was used: with a second factor, the login form asks for the next one.
    if (code === '' && (await isAccepted(logIn(username, chosen.newPassword, '')))) return;
    passwordIsSet.set(true);
    closeSession();
  };
  const { isBusy, failure, run } = useAction(change, onClose);
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
        label={texts.presentPassword}
        value={currentPassword}
        onChange={setCurrent}
        type="password"
        autoComplete="current-password"
        autoFocus
      />
      {factor?.active === true && <CodeField value={code} onChange={setCode} />}
      <NewPasswordFields value={chosen} onChange={setChosen} />
    </AppDialog>
  );
}

/** Whether a login succeeds. The login form says why it does not when it is tried again. */
function isAccepted(login: Promise<void>): Promise<boolean> {
  return login.then(
    () => true,
    () => false,
  );
}
