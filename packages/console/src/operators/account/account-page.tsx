import { useState } from 'react';
import { Button } from 'react-aria-components';
import { LanguageChoice } from '../../page-kit/components/language-choice.tsx';
import { SecondFactorPanel } from '../../page-kit/second-factor/second-factor-panel.tsx';
import { usePermissions } from '../api/permissions.ts';
import { secondFactorApi } from '../api/second-factor-api.ts';
import { closeSession } from '../api/session.ts';
import { PageFrame } from '../frame/page-frame.tsx';
import { Panel } from '../frame/panel.tsx';
import { ChangePasswordDialog } from '../login/change-password-dialog.tsx';
import { texts } from '../texts/texts.ts';
import { ApiKeys } from './api-keys.tsx';
import { OwnSessions } from './own-sessions.tsx';

/** The user's own password, second factor, sessions and API keys. */
export function AccountPage() {
  const { userName } = usePermissions();
  if (userName === undefined) return null;
  return (
    <PageFrame title={texts.account.title}>
      <LanguageChoice />
      <Password userName={userName} />
      <Panel title={texts.secondFactor}>
        <SecondFactorPanel
          api={secondFactorApi}
          userName={userName}
          unavailable={texts.noSecondFactorHere}
          onSessionsEnded={closeSession}
        />
      </Panel>
      <OwnSessions userName={userName} />
      <ApiKeys userName={userName} isOwn />
    </PageFrame>
  );
}

function Password({ userName }: { readonly userName: string }) {
  const [isChanging, setChanging] = useState(false);
  return (
    <Panel title={texts.changePassword} hint={texts.passwordHint}>
      <Button className="button" onPress={() => setChanging(true)}>
        {texts.changePassword}
      </Button>
      {isChanging && <ChangePasswordDialog userName={userName} onClose={() => setChanging(false)} />}
    </Panel>
  );
}
