import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { Failure } from '../../page-kit/components/failure.tsx';
import { TextInput } from '../../page-kit/components/text-input.tsx';
import { messages } from '../../page-kit/messages/messages.ts';
import { useAction } from '../../page-kit/use-action.ts';
import { logIn, noteLogin, noteOfLogin } from '../api/login-session.ts';
import { RequestFailure } from '../api/send-request.ts';
import { startWaiting } from '../transfers/transfer-queue.ts';
import { PasswordForm, type PasswordFormProps } from './password-form.tsx';

/** Asks for name and password, over the page that the user was on: nothing there is lost. */
export function LoginForm({ wasLoggedIn }: { readonly wasLoggedIn: boolean }) {
  const { userName, setUserName, password, setPassword, mustChange, onChanged, isBusy, failure, run } = useLogin();
  const note = noteOfLogin() ?? (wasLoggedIn ? messages.loginAgain : undefined);
  if (mustChange) return <ForcedChange userName={userName} onDone={onChanged} />;
  return (
    <main className="login">
      <form
        className="card"
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <h1>{messages.loginTitle}</h1>
        {note !== undefined && <p role="status">{note}</p>}
        <TextInput
          label={messages.userName}
          value={userName}
          onChange={setUserName}
          autoComplete="username"
          autoFocus
        />
        <TextInput
          label={messages.password}
          value={password}
          onChange={setPassword}
          type="password"
          autoComplete="current-password"
        />
        {failure !== undefined && <Failure>{failure}</Failure>}
        <Button className="button primary" type="submit" isDisabled={isBusy}>
          {messages.logIn}
        </Button>
      </form>
    </main>
  );
}

/** What is typed in, and what comes of it. */
function useLogin() {
  const client = useQueryClient();
  const [userName, setUserName] = useState('');
  const [password, setPassword] = useState('');
  const [mustChange, setMustChange] = useState(false);
  const goOn = (): void => {
    startWaiting();
    void client.invalidateQueries();
  };
  const act = async (): Promise<void> => {
    try {
      await logIn(userName, password);
    } catch (error) {
      if (error instanceof RequestFailure && error.code === 'password_change_required') setMustChange(true);
      throw error;
    }
  };
  const onChanged = (): void => {
    noteLogin(messages.passwordChanged);
    setPassword('');
    setMustChange(false);
  };
  return { userName, setUserName, password, setPassword, mustChange, onChanged, ...useAction(act, goOn) };
}

/** A password that has expired, or that somebody else has set, must be changed first. */
function ForcedChange(props: PasswordFormProps) {
  return (
    <main className="login">
      <div className="card">
        <h1>{messages.changePassword}</h1>
        <p role="status">{messages.passwordMustChange}</p>
        <PasswordForm {...props} />
      </div>
    </main>
  );
}
