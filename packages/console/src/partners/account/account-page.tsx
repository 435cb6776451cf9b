import { Button } from 'react-aria-components';
import { messages } from '../../page-kit/messages/messages.ts';
import { noteLogin, sessionState, userNameOfPage } from '../api/login-session.ts';
import { PasswordForm } from '../login/password-form.tsx';
import { Sessions } from './sessions.tsx';
import { SshKeys } from './ssh-keys.tsx';
import { TransferHistory } from './transfer-history.tsx';

/** The user's own password, keys, sessions and transfers. */
export function AccountPage({ onLeave }: { readonly onLeave: () => void }) {
  const onChanged = (): void => {
    noteLogin(messages.passwordChanged);
    sessionState.set('closed');
  };
  return (
    <main id="files" tabIndex={-1} className="account">
      <div className="panel-head">
        <h1>{messages.account}</h1>
        <Button className="button" onPress={onLeave}>
          {messages.backToFiles}
        </Button>
      </div>
      <section className="card" aria-labelledby="keys">
        <h2 id="keys">{messages.sshKeys}</h2>
        <SshKeys />
      </section>
      <section className="card" aria-labelledby="password">
        <h2 id="password">{messages.changePassword}</h2>
        <p className="hint">{messages.passwordEndsSessions}</p>
        <PasswordForm userName={userNameOfPage()} onDone={onChanged} />
      </section>
      <section className="card" aria-labelledby="sessions">
        <h2 id="sessions">{messages.openSessions}</h2>
        <Sessions />
      </section>
      <section className="card" aria-labelledby="transfers">
        <h2 id="transfers">{messages.ownTransfers}</h2>
        <TransferHistory />
      </section>
    </main>
  );
}
