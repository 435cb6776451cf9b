import { useQuery } from '@tanstack/react-query';
import { lazy, useEffect, useRef } from 'react';
import { Button } from 'react-aria-components';
import { Failure, LazyPart } from '../page-kit/components/failure.tsx';
import { LogOutButton } from '../page-kit/components/log-out-button.tsx';
import { LoggedInUser } from '../page-kit/components/logged-in-user.tsx';
import { OldNotice } from '../page-kit/components/old-notice.tsx';
import { useStore } from '../page-kit/create-store.ts';
import { RecoveryCodes } from '../page-kit/second-factor/recovery-codes.tsx';
import { logOut, recognizeUser, sessionState, userOfPage } from './api/login-session.ts';
import { requestFiles } from './api/request-files.ts';
import { isRefusal } from './api/send-request.ts';
import { noteActivity } from './api/user-activity.ts';
import { BrowsePage, type BrowsePageProps } from './browse/browse-page.tsx';
import { LoginForm } from './login/login-form.tsx';
import { texts } from './texts.ts';
import { TransferPanel } from './transfers/transfer-panel.tsx';
import { isUploading } from './transfers/transfer-queue.ts';

const AccountPage = lazy(async () => ({ default: (await import('./account/account-page.tsx')).AccountPage }));

/** What the address says, and what changes it. */
export interface ApplicationProps extends BrowsePageProps {
  /** Whether the user's own account is shown instead of the files. */
  readonly isAccount: boolean;
  readonly onAccount: (isShown: boolean) => void;
}

/** A request that runs keeps the session by itself; this keeps it while an interrupted upload waits for its next try. */
const keepAliveMs = 60_000;

/** The page: files, uploads and, without a session, the login in their place. Uploads of the same user wait behind it. */
export function Application({ isAccount, onAccount, ...props }: ApplicationProps) {
  const session = useStore(sessionState);
  const wasLoggedIn = useRef(false);
  if (session === 'open') wasLoggedIn.current = true;
  const { user, failure } = useUser();
  useKeepAlive();
  if (session === 'closed') {
    return (
      <>
        <RecoveryCodes />
        <LoginForm wasLoggedIn={wasLoggedIn.current} />
      </>
    );
  }
  if (user === undefined) {
    return failure === undefined ? <p role="status">{texts.loading}</p> : <Failure>{failure}</Failure>;
  }
  return (
    <>
      <RecoveryCodes />
      <a className="skip" href="#files">
        {texts.skipToFiles}
      </a>
      <header className="top">
        <strong>{texts.product}</strong>
        <LoggedInUser userName={user} className="user" />
        <span className="buttons">
          {!isAccount && (
            <Button className="button" onPress={() => onAccount(true)}>
              {texts.account}
            </Button>
          )}
          <LogOutButton logOut={logOut} onDone={() => undefined} />
        </span>
      </header>
      {isAccount ? (
        <LazyPart page={{ title: texts.account, id: 'files' }}>
          <AccountPage onLeave={() => onAccount(false)} />
        </LazyPart>
      ) : (
        <BrowsePage {...props} />
      )}
      <TransferPanel />
      <OldNotice isRefused={isRefusal} />
    </>
  );
}

/** The user of this page, once the server has said who it is: before that, nothing is shown and nothing is uploaded. */
function useUser(): { readonly user: string | undefined; readonly failure: string | undefined } {
  const user = useStore(userOfPage);
  const { failureReason } = useQuery({
    queryKey: ['user'],
    enabled: user === undefined,
    retry: (_failures, error) => !isRefusal(error),
    queryFn: async () => {
      try {
        await recognizeUser();
        return true;
      } catch (error) {
        if (isRefusal(error)) sessionState.set('closed');
        throw error;
      }
    },
  });
  return { user, failure: failureReason?.message };
}

/** Keeps the session while something is uploaded, and asks before such a page is closed. */
function useKeepAlive(): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (!isUploading()) return;
      noteActivity();
      void requestFiles('/2.0/countelements/').catch(() => undefined);
    }, keepAliveMs);
    const onLeave = (event: BeforeUnloadEvent): void => {
      if (isUploading()) event.preventDefault();
    };
    addEventListener('beforeunload', onLeave);
    return () => {
      clearInterval(timer);
      removeEventListener('beforeunload', onLeave);
    };
  }, []);
}
