import { useState } from 'react';
import { BusyButton } from '../../page-kit/components/busy-button.tsx';
import { FormFailure } from '../../page-kit/components/failure.tsx';
import { TextInput } from '../../page-kit/components/text-input.tsx';
import { useAction } from '../../page-kit/use-action.ts';
import { changePassword } from '../api/account.ts';
import { texts } from '../texts.ts';

/** Changes a password, with the present one as the proof. */
export interface PasswordFormProps {
  /** The name of the user, if it is known. */
  readonly userName: string;
  /** Default: true. False for a user who has no second factor: no code is asked for. */
  readonly mayHaveCode?: boolean;
  readonly onDone: () => void;
}

/** See `PasswordFormProps`. */
export function PasswordForm({ userName, mayHaveCode = true, onDone }: PasswordFormProps) {
  const [name, setName] = useState(userName);
  const [present, setPresent] = useState('');
  const [next, setNext] = useState('');
  const [repeated, setRepeated] = useState('');
  const [code, setCode] = useState('');
  const change = (): Promise<void> => {
    if (next !== repeated) return Promise.reject(new Error(texts.passwordsDiffer));
    return changePassword({
      username: name,
      currentPassword: present,
      newPassword: next,
      ...(code !== '' && { code }),
    });
  };
  const { isBusy, failure, run } = useAction(change, onDone);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      <TextInput label={texts.userName} value={name} onChange={setName} autoComplete="username" />
      <TextInput
        label={texts.presentPassword}
        value={present}
        onChange={setPresent}
        type="password"
        autoComplete="current-password"
      />
      {mayHaveCode && <CodeIfAny value={code} onChange={setCode} />}
      <TextInput {...chosen} label={texts.newPassword} value={next} onChange={setNext} />
      <TextInput {...chosen} label={texts.repeatPassword} value={repeated} onChange={setRepeated} />
      {failure !== undefined && <FormFailure>{failure}</FormFailure>}
      <BusyButton className="button primary" type="submit" isBusy={isBusy}>
        {texts.changePassword}
      </BusyButton>
    </form>
  );
}

const chosen = { type: 'password', autoComplete: 'new-password' } as const;

function CodeIfAny(props: { readonly value: string; readonly onChange: (value: string) => void }) {
  const hint = texts.codeIfAny;
  return (
    <TextInput {...props} label={texts.secondFactorCode} autoComplete="one-time-code" isRequired={false} hint={hint} />
  );
}
