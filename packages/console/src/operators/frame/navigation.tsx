import { useLocation } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { Button, Link } from 'react-aria-components';
import { LogOutButton } from '../../page-kit/components/log-out-button.tsx';
import { LoggedInUser } from '../../page-kit/components/logged-in-user.tsx';
import { useStore } from '../../page-kit/create-store.ts';
import { usePermissions } from '../api/permissions.ts';
import { logOut, sessionState } from '../api/session.ts';
import { texts } from '../texts/texts.ts';
import { type ConsolePage, isOffered } from './page.ts';
import { pathsOfAddress } from './section.ts';

/** The pages that the user may see, and the user. In a narrow window, the pages are behind a button. */
export function Navigation({ pages }: { readonly pages: readonly ConsolePage[] }) {
  const { userName } = usePermissions();
  const { pathname } = useLocation();
  // A link that was followed closes the menu.
  const [openAt, setOpenAt] = useState<string>();
  const isOpen = openAt === pathname;
  const opener = useRef<HTMLButtonElement>(null);
  const id = useId();
  const closeWithEscape = ({ key }: KeyboardEvent): void => {
    if (key !== 'Escape' || !isOpen) return;
    setOpenAt(undefined);
    opener.current?.focus();
  };
  return (
    <header className="top" onKeyDown={closeWithEscape}>
      <strong>{texts.product}</strong>
      {userName !== undefined && <LoggedInUser userName={userName} className="quiet" />}
      <Button
        ref={opener}
        className="button menu-opener"
        aria-expanded={isOpen}
        aria-controls={id}
        onPress={() => setOpenAt(isOpen ? undefined : pathname)}
      >
        {texts.menu}
      </Button>
      <div id={id} className={isOpen ? 'menu open' : 'menu'}>
        <Pages pages={pages} pathname={pathname} />
      </div>
    </header>
  );
}

function Pages({ pages, pathname }: { readonly pages: readonly ConsolePage[]; readonly pathname: string }) {
  const permissions = usePermissions();
  const current = pathsOfAddress(pathname, pages);
  const offered = pages.filter((page) => isOffered(page, permissions));
  return (
    <>
      <nav aria-label={texts.pages}>
        <ul className="pages">
          {offered.map(
            ({ path, label }) =>
              label !== undefined && (
                <li key={path}>
                  <Link href={path} {...(current.has(path) && { 'aria-current': 'page' as const })}>
                    {label}
                  </Link>
                </li>
              ),
          )}
        </ul>
      </nav>
      <div className="buttons">
        <Link className="button" href="/account" {...(current.has('/account') && { 'aria-current': 'page' as const })}>
          {texts.account.title}
        </Link>
        {/* What it says of one session is over with that session, which another tab may end. */}
        <LogOutButton key={useStore(sessionState)} logOut={logOut} onDone={() => location.reload()} />
      </div>
    </>
  );
}
