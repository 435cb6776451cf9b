import { Button } from 'react-aria-components';
import { DialogRoom } from '../../page-kit/components/kept-dialogs.tsx';
import { LanguageChoice } from '../../page-kit/components/language-choice.tsx';
import { useStore } from '../../page-kit/create-store.ts';
import { useOwnSecondFactor } from '../../page-kit/second-factor/own-second-factor.ts';
import { SecondFactorPanel } from '../../page-kit/second-factor/second-factor-panel.tsx';
import { useDocumentTitle } from '../../page-kit/use-document-title.ts';
import { noteLogin, sessionState, userOfPage } from '../api/login-session.ts';
import { secondFactorApi } from '../api/second-factor-api.ts';
import { PasswordForm } from '../login/password-form.tsx';
import { texts } from '../texts.ts';
import { Sessions } from './sessions.tsx';
import { SshKeys } from './ssh-keys.tsx';
import { TransferHistory } from './transfer-history.tsx';

/** The user's own password, keys, sessions and transfers. */
export function AccountPage({ onLeave }: { readonly onLeave: () => void }) {
  useDocumentTitle(texts.account);
  const userName = useStore(userOfPage) ?? '';
  const { data: factor } = useOwnSecondFactor(secondFactorApi);
  const onChanged = (): void => {
    noteLogin(texts.passwordChanged);
    sessionState.set('closed');
  };
  return (
    <DialogRoom>
      <main id="files" tabIndex={-1} className="account">
        <div className="panel-head">
          <h1>{texts.account}</h1>
          <Button className="button" onPress={onLeave}>
            {texts.backToFiles}
          </Button>
        </div>
        <LanguageChoice />
        <section className="card" aria-labelledby="keys">
          <h2 id="keys">{texts.sshKeys}</h2>
          <SshKeys />
        </section>
        <section className="card" aria-labelledby="second-factor">
          <h2 id="second-factor">{texts.secondFactor}</h2>
          <SecondFactorPanel api={secondFactorApi} userName={userName} unavailable={texts.secondFactorNotAllowed} />
        </section>
        <section className="card" aria-labelledby="password">
          <h2 id="password">{texts.changePassword}</h2>
          <p className="hint">{texts.passwordEndsSessions}</p>
          <PasswordForm userName={userName} mayHaveCode={factor?.active === true} onDone={onChanged} />
        </section>
        <section className="card" aria-labelledby="sessions">
          <h2 id="sessions">{texts.openSessions}</h2>
          <Sessions />
        </section>
        <section className="card" aria-labelledby="transfers">
          <h2 id="transfers">{texts.ownTransfers}</h2>
          <TransferHistory />
        </section>
      </main>
    </DialogRoom>
  );
}
