import { useState } from 'react';
import { texts } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { BusyButton } from './busy-button.tsx';
import { AppDialog } from './dialog.tsx';

/** Logs out. If that fails, a dialog says so until it works or the user closes it, so that no session is left open by mistake. */
export function LogOutButton({
  logOut,
  onDone,
}: {
  readonly logOut: () => Promise<void>;
  readonly onDone: () => void;
}) {
  const [isFailed, setFailed] = useState(false);
  const { isBusy, failure, run } = useAction(async () => {
    try {
      await logOut();
    } catch (error) {
      setFailed(true);
      throw error;
    }
  }, onDone);
  return (
    <>
      <BusyButton className="button" isBusy={isBusy && !isFailed} onPress={run}>
        {texts.logOut}
      </BusyButton>
      {isFailed && (
        <AppDialog
          title={texts.stillLoggedIn}
          action={texts.logOut}
          isBusy={isBusy}
          failure={failure}
          isDangerous
          onAction={run}
          onClose={() => setFailed(false)}
        >
          <p>{texts.logOutFailed}</p>
        </AppDialog>
      )}
    </>
  );
}
