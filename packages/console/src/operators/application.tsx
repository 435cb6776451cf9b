import { Outlet } from '@tanstack/react-router';
import { useRef } from 'react';
import { OldNotice } from '../page-kit/components/old-notice.tsx';
import { Reading } from '../page-kit/components/reading.tsx';
import { useStore } from '../page-kit/create-store.ts';
import { newRecoveryCodes } from '../page-kit/second-factor/new-recovery-codes.ts';
import { RecoveryCodes } from '../page-kit/second-factor/recovery-codes.tsx';
import { ConsoleLinks } from './address/console-links.tsx';
import { useCurrentPermissions, usePermissions } from './api/permissions.ts';
import { isRefused } from './api/refusals.ts';
import { sessionState } from './api/session.ts';
import { Navigation } from './frame/navigation.tsx';
import { type ConsolePage, isOffered } from './frame/page.ts';
import { unsavedDrafts } from './frame/unsaved-drafts.ts';
import { useConfigurationRefresh, useLiveConfiguration } from './live/live-configuration.ts';
import { LoginPage } from './login/login-page.tsx';
import { texts } from './texts/texts.ts';

/** The console: navigation and a page; without a session, the login over them, so that nothing in the page is lost. */
export function Application({ pages }: { readonly pages: readonly ConsolePage[] }) {
  const session = useStore(sessionState);
  const areCodesShown = useStore(newRecoveryCodes) !== undefined;
  const wasLoggedIn = useRef(false);
  if (session === 'open') wasLoggedIn.current = true;
  if (session === 'unknown' || session === 'other user') return null;
  const isClosed = session === 'closed';
  return (
    <ConsoleLinks>
      <RecoveryCodes />
      {isClosed && !(areCodesShown && wasLoggedIn.current) && <LoginPage wasLoggedIn={wasLoggedIn.current} />}
      {wasLoggedIn.current && (
        <div className="shell" hidden={isClosed}>
          <a className="skip" href="#content">
            {texts.skipToContent}
          </a>
          <Navigation pages={pages} />
          <Content pages={pages} />
          <OldNotice isRefused={isRefused} />
        </div>
      )}
    </ConsoleLinks>
  );
}

function Content({ pages }: { readonly pages: readonly ConsolePage[] }) {
  const permissions = usePermissions();
  const hasDraft = useStore(unsavedDrafts).size > 0;
  useLiveConfiguration();
  useCurrentPermissions(useConfigurationRefresh());
  if (permissions.userName === undefined) {
    return (
      <main className="page" id="content">
        <Reading error={permissions.failure} />
      </main>
    );
  }
  return hasDraft || pages.some((page) => isOffered(page, permissions)) ? (
    <Outlet />
  ) : (
    <main className="page" id="content">
      <p>{texts.noPages}</p>
    </main>
  );
}
