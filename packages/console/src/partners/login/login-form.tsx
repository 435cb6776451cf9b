import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { TextInput } from '../../page-kit/components/text-input.tsx';
import { messages } from '../../page-kit/messages/messages.ts';
import { useAction } from '../../page-kit/use-action.ts';
import { logIn } from '../api/login-session.ts';
import { startWaiting } from '../transfers/transfer-queue.ts';

/** Asks for name and password, over the page that the user was on: nothing there is lost. */
export function LoginForm({ wasLoggedIn }: { readonly wasLoggedIn: boolean }) {
  const client = useQueryClient();
  const [userName, setUserName] = useState('');
  const [password, setPassword] = useState('');
  const goOn = (): void => {
    startWaiting();
    void client.invalidateQueries();
  };
  const { isBusy, failure, run } = useAction(() => logIn(userName, password), goOn);
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
        {wasLoggedIn && <p role="status">{messages.loginAgain}</p>}
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
        {failure !== undefined && (
          <p className="failure" role="alert">
            {failure}
          </p>
        )}
        <Button className="button primary" type="submit" isDisabled={isBusy}>
          {messages.logIn}
        </Button>
      </form>
    </main>
  );
}
