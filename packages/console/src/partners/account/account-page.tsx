import { Button } from 'react-aria-components';
import { useStore } from '../../page-kit/create-store.ts';
import { messages } from '../../page-kit/messages/messages.ts';
import { SecondFactorPanel } from '../../page-kit/second-factor/second-factor-panel.tsx';
import { noteLogin, sessionState, userOfPage } from '../api/login-session.ts';
import { secondFactorApi } from '../api/second-factor-api.ts';
import { PasswordForm } from '../login/password-form.tsx';
import { Sessions } from './sessions.tsx';
import { SshKeys } from './ssh-keys.tsx';
import { TransferHistory } from './transfer-history.tsx';

/** The user's own password, keys, sessions and transfers. */
export function AccountPage({ onLeave }: { readonly onLeave: () => void }) {
  const userName = useStore(userOfPage) ?? '';
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
      <section className="card" aria-labelledby="second-factor">
        <h2 id="second-factor">{messages.secondFactor}</h2>
        <SecondFactorPanel api={secondFactorApi} userName={userName} unavailable={messages.secondFactorNotAllowed} />
      </section>
      <section className="card" aria-labelledby="password">
        <h2 id="password">{messages.changePassword}</h2>
        <p className="hint">{messages.passwordEndsSessions}</p>
        <PasswordForm userName={userName} onDone={onChanged} />
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
