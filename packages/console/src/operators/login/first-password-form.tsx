import { setFirstPasswordEndpoint } from '@waybill/contracts/endpoints/access/set-first-password';
import { useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { TextInput } from '../../page-kit/components/text-input.tsx';
import { useAction } from '../../page-kit/use-action.ts';
import { RequestFailure } from '../api/request-failure.ts';
import { sendEndpoint } from '../api/send-endpoint.ts';
import { texts } from '../texts/texts.ts';
import { LoginCard } from './login-card.tsx';
import { type NewPassword, NewPasswordFields } from './new-password-fields.tsx';

interface FirstPassword extends NewPassword {
  readonly username: string;
  readonly code: string;
}

/** Asks a user without a password for the first one, and for the code of an administrator. */
export function FirstPasswordForm(props: {
  readonly userName: string;
  /** The password is set. */
  readonly onSet: (username: string, password: string) => void;
  readonly onBack: () => void;
}) {
  const { userName, onSet, onBack } = props;
  const [fields, setFields] = useState<FirstPassword>({ username: userName, code: '', newPassword: '', repeated: '' });
  const set = (changed: Partial<FirstPassword>): void => setFields((present) => ({ ...present, ...changed }));
  const isPerhapsSet = useRef(false);
  const action = useAction(
    async () => {
      try {
        await setFirstPassword(fields);
      } catch (error) {
        if (isPerhapsSet.current && isRefusedCode(error)) throw new Error(texts.firstCodePerhapsUsed, { cause: error });
        isPerhapsSet.current ||= error instanceof RequestFailure && (error.status === 0 || error.status >= 500);
        throw isRefusedCode(error) ? new Error(texts.firstCodeRefused, { cause: error }) : error;
      }
    },
    () => onSet(fields.username, fields.newPassword),
  );
  const card = { title: texts.firstPasswordTitle, note: texts.firstPasswordNote, button: texts.setFirstPassword };
  const back = (
    <Button className="button" onPress={onBack}>
      {texts.back}
    </Button>
  );
  return (
    <LoginCard {...card} action={action} isOver={false} others={back}>
      <TextInput
        label={texts.userName}
        value={fields.username}
        onChange={(username) => set({ username })}
        autoComplete="username"
        autoFocus={userName === ''}
      />
      <TextInput
        label={texts.firstPasswordCode}
        hint={texts.firstCodeHint}
        value={fields.code}
        onChange={(code) => set({ code })}
        autoComplete="one-time-code"
        autoFocus={userName !== ''}
      />
      <NewPasswordFields value={fields} onChange={set} />
    </LoginCard>
  );
}

function isRefusedCode(error: unknown): boolean {
  return error instanceof RequestFailure && error.code === 'invalid_credentials';
}

async function setFirstPassword({ repeated, ...body }: FirstPassword): Promise<void> {
  if (body.newPassword !== repeated) throw new Error(texts.passwordsDiffer);
  await sendEndpoint(setFirstPasswordEndpoint, { body });
}
