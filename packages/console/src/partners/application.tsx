import { lazy, useEffect, useRef } from 'react';
import { Button } from 'react-aria-components';
import { LazyPart } from '../page-kit/components/failure.tsx';
import { useStore } from '../page-kit/create-store.ts';
import { messages } from '../page-kit/messages/messages.ts';
import { logOut, sessionState } from './api/login-session.ts';
import { requestFiles } from './api/request-files.ts';
import { BrowsePage, type BrowsePageProps } from './browse/browse-page.tsx';
import { LoginForm } from './login/login-form.tsx';
import { TransferPanel } from './transfers/transfer-panel.tsx';
import { isUploading } from './transfers/transfer-queue.ts';

const AccountPage = lazy(async () => ({ default: (await import('./account/account-page.tsx')).AccountPage }));

/** What the address says, and what changes it. */
export interface ApplicationProps extends BrowsePageProps {
  /** Whether the user's own account is shown instead of the files. */
  readonly isAccount: boolean;
  readonly onAccount: (isShown: boolean) => void;
}

/** A session ends after 30 minutes without a request, and one request may take longer. */
const keepAliveMs = 5 * 60_000;

/** The page: files, uploads and, without a session, the login in their place. Uploads wait behind it. */
export function Application({ isAccount, onAccount, ...props }: ApplicationProps) {
  const session = useStore(sessionState);
  const wasLoggedIn = useRef(false);
  if (session === 'open') wasLoggedIn.current = true;
  useKeepAlive();
  if (session === 'closed') return <LoginForm wasLoggedIn={wasLoggedIn.current} />;
  return (
    <>
      <a className="skip" href="#files">
        {messages.skipToFiles}
      </a>
      <header className="top">
        <strong>{messages.product}</strong>
        <span className="buttons">
          {!isAccount && (
            <Button className="button" onPress={() => onAccount(true)}>
              {messages.account}
            </Button>
          )}
          <Button className="button" onPress={() => void logOut()}>
            {messages.logOut}
          </Button>
        </span>
      </header>
      {isAccount ? (
        <LazyPart>
          <AccountPage onLeave={() => onAccount(false)} />
        </LazyPart>
      ) : (
        <BrowsePage {...props} />
      )}
      <TransferPanel />
    </>
  );
}

/** Keeps the session while something is uploaded, and asks before such a page is closed. */
function useKeepAlive(): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (isUploading()) void requestFiles('/2.0/countelements/').catch(() => undefined);
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
