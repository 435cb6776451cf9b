import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { BusyButton } from '../../page-kit/components/busy-button.tsx';
import { FormFailure } from '../../page-kit/components/failure.tsx';
import { LanguageChoice } from '../../page-kit/components/language-choice.tsx';
import { TextInput } from '../../page-kit/components/text-input.tsx';
import { SetUpSecondFactor } from '../../page-kit/second-factor/set-up-second-factor.tsx';
import { useAction } from '../../page-kit/use-action.ts';
import { logIn, noteLogin, noteOfLogin } from '../api/login-session.ts';
import { secondFactorApi } from '../api/second-factor-api.ts';
import { RequestFailure } from '../api/send-request.ts';
import { texts } from '../texts.ts';
import { OperatorsHint } from './operators-hint.tsx';
import { PasswordForm, type PasswordFormProps } from './password-form.tsx';

/** Asks for name and password, over the page that the user was on: nothing there is lost. */
export function LoginForm({ wasLoggedIn }: { readonly wasLoggedIn: boolean }) {
  const login = useLogin();
  const { userName, setUserName, password, setPassword, code, setCode, due, onChanged, isBusy, failure, run } = login;
  const note = noteOfLogin() ?? (wasLoggedIn ? texts.loginAgain : undefined);
  if (due === 'password') return <ForcedChange userName={userName} onDone={onChanged} />;
  if (due === 'second factor') return <ForcedSetUp {...login} />;
  return (
    <main className="login">
      <form
        className="card"
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <h1>{texts.loginTitle}</h1>
        {note !== undefined && <p role="status">{note}</p>}
        <TextInput label={texts.userName} value={userName} onChange={setUserName} autoComplete="username" autoFocus />
        <TextInput
          label={texts.password}
          value={password}
          onChange={setPassword}
          type="password"
          autoComplete="current-password"
        />
        {due === 'code' && (
          <TextInput
            label={texts.secondFactorCode}
            value={code}
            onChange={setCode}
            autoComplete="one-time-code"
            hint={texts.secondFactorCodeHint}
            autoFocus
          />
        )}
        {failure !== undefined && <FormFailure>{failure}</FormFailure>}
        <BusyButton className="button primary" type="submit" isBusy={isBusy}>
          {texts.logIn}
        </BusyButton>
        <OperatorsHint />
        <LanguageChoice />
      </form>
    </main>
  );
}

/** What is needed besides the name and the password. */
type Due = 'password' | 'code' | 'second factor';

const dueAfter: Readonly<Record<string, Due>> = {
  password_change_required: 'password',
  second_factor_required: 'code',
  second_factor_setup_required: 'second factor',
};

/** What is typed in, and what comes of it. */
function useLogin() {
  const client = useQueryClient();
  const [userName, setUserName] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [due, setDue] = useState<Due>();
  const goOn = (): void => void client.invalidateQueries();
  const act = async (): Promise<void> => {
    try {
      await logIn(userName, password, code);
    } catch (error) {
      // Each code works once.
      setCode('');
      const next = error instanceof RequestFailure ? dueAfter[error.code ?? ''] : undefined;
      if (next !== undefined) setDue(next);
      if (next !== 'code') throw error;
    }
  };
  const onChanged = (): void => {
    noteLogin(texts.passwordChanged);
    setPassword('');
    setDue(undefined);
  };
  const onSetUp = (): void => setDue('code');
  const typed = { userName, setUserName, password, setPassword, code, setCode };
  return { ...typed, due, onChanged, onSetUp, ...useAction(act, goOn) };
}

/** The account policy demands a second factor, and the user has none. */
function ForcedSetUp(props: Pick<ReturnType<typeof useLogin>, 'userName' | 'password' | 'onSetUp'>) {
  return (
    <main className="login">
      <div className="card">
        <h1>{texts.setUpSecondFactor}</h1>
        <p role="status">{texts.secondFactorSetUpFirst}</p>
        <SetUpSecondFactor
          api={secondFactorApi}
          userName={props.userName}
          password={props.password}
          onDone={props.onSetUp}
        />
      </div>
    </main>
  );
}

/** A password that has expired, or that somebody else has set, must be changed first. */
function ForcedChange(props: PasswordFormProps) {
  return (
    <main className="login">
      <div className="card">
        <h1>{texts.changePassword}</h1>
        <p role="status">{texts.passwordMustChange}</p>
        <PasswordForm {...props} />
      </div>
    </main>
  );
}
