import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { AppDialog } from '../components/dialog.tsx';
import { Facts } from '../components/facts.tsx';
import { TextInput } from '../components/text-input.tsx';
import { formatTime } from '../format/format-time.ts';
import { texts } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { newRecoveryCodes } from './new-recovery-codes.ts';
import { ownSecondFactorKey, useOwnSecondFactor } from './own-second-factor.ts';
import type { Proof, SecondFactorApi } from './second-factor-api.ts';
import { SetUpSecondFactor } from './set-up-second-factor.tsx';

interface PanelProps {
  readonly api: SecondFactorApi;
  /** Empty if the page does not know it. */
  readonly userName: string;
  /** Why a user cannot have one. */
  readonly unavailable: string;
  /** What follows where setting one up has ended the session. */
  readonly onSessionsEnded?: () => void;
}

/** The user's own second factor. */
export function SecondFactorPanel(props: PanelProps) {
  const { api, userName, unavailable, onSessionsEnded } = props;
  const client = useQueryClient();
  const [isSettingUp, setSettingUp] = useState(false);
  const { data, error } = useOwnSecondFactor(api, isSettingUp);
  if (error !== null) {
    return (
      <p className="failure" role="alert">
        {error.message}
      </p>
    );
  }
  if (data === undefined) return <p role="status">{texts.loading}</p>;
  if (!data.available) return <p>{unavailable}</p>;
  if (!data.active) {
    return (
      <>
        <p>{data.required ? texts.secondFactorRequired : texts.secondFactorAbsent}</p>
        {isSettingUp ? (
          <SetUpSecondFactor
            api={api}
            userName={userName}
            onDone={onSessionsEnded ?? (() => void client.invalidateQueries({ queryKey: ownSecondFactorKey }))}
          />
        ) : (
          <Button className="button" onPress={() => setSettingUp(true)}>
            {texts.setUpSecondFactor}
          </Button>
        )}
      </>
    );
  }
  return (
    <>
      <Facts
        facts={[
          [texts.secondFactorSince, formatTime(data.since ?? '')],
          [texts.recoveryCodesLeft, String(data.recoveryCodesLeft)],
        ]}
      />
      <Changes api={api} userName={userName} />
    </>
  );
}

/** What can be done with a second factor. Each change proves the password and a code. */
function Changes({ api, userName }: Pick<PanelProps, 'api' | 'userName'>) {
  const client = useQueryClient();
  const [asked, setAsked] = useState<'renew' | 'remove'>();
  const act = async (proof: Proof): Promise<void> => {
    if (asked === 'remove') await api.remove(proof);
    else newRecoveryCodes.set(await api.renewRecoveryCodes(proof));
  };
  const close = (): void => setAsked(undefined);
  const finish = (): void => {
    close();
    void client.invalidateQueries({ queryKey: ownSecondFactorKey });
  };
  return (
    <div className="buttons">
      <Button className="button" onPress={() => setAsked('renew')}>
        {texts.renewRecoveryCodes}
      </Button>
      <Button className="button danger" onPress={() => setAsked('remove')}>
        {texts.removeSecondFactor}
      </Button>
      {asked !== undefined && (
        <ProofDialog
          title={asked === 'remove' ? texts.removeSecondFactor : texts.renewRecoveryCodes}
          isDangerous={asked === 'remove'}
          {...{ userName, act, onDone: finish, onClose: close }}
        />
      )}
    </div>
  );
}

function ProofDialog(props: {
  readonly title: string;
  readonly isDangerous: boolean;
  readonly userName: string;
  readonly act: (proof: Proof) => Promise<void>;
  readonly onDone: () => void;
  readonly onClose: () => void;
}) {
  const { title, isDangerous, userName, act, onDone, onClose } = props;
  const [username, setUserName] = useState(userName);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const { isBusy, failure, run } = useAction(() => act({ username, password, code }), onDone);
  return (
    <AppDialog {...{ title, action: title, isBusy, failure, isDangerous, onAction: run, onClose }}>
      {userName === '' && (
        <TextInput label={texts.userName} value={username} onChange={setUserName} autoComplete="username" />
      )}
      <TextInput
        label={texts.presentPassword}
        value={password}
        onChange={setPassword}
        type="password"
        autoComplete="current-password"
        autoFocus
      />
      <TextInput
        label={texts.secondFactorCode}
        value={code}
        onChange={setCode}
        autoComplete="one-time-code"
        hint={texts.secondFactorCodeHint}
      />
    </AppDialog>
  );
}
