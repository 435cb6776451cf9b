import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { Button, Link } from 'react-aria-components';
import { usePermissions } from '../api/permissions.ts';
import { logOut } from '../api/session.ts';
import { ChangePasswordDialog } from '../login/change-password-dialog.tsx';
import { texts } from '../texts/texts.ts';
import { type ConsolePage, isOffered } from './page.ts';
import { pathsOfAddress } from './section.ts';

/** The pages that the user may see, and the user. */
export function Navigation({ pages }: { readonly pages: readonly ConsolePage[] }) {
  const permissions = usePermissions();
  const { userName } = permissions;
  const { pathname } = useLocation();
  const current = pathsOfAddress(pathname, pages);
  const [isChanging, setChanging] = useState(false);
  const offered = pages.filter((page) => isOffered(page, permissions));
  return (
    <header className="top">
      <strong>{texts.product}</strong>
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
        {userName !== undefined && <span className="quiet">{texts.loggedInAs(userName)}</span>}
        <Link className="button" href="/account" {...(current.has('/account') && { 'aria-current': 'page' as const })}>
          {texts.account.title}
        </Link>
        <Button className="button" onPress={() => setChanging(true)}>
          {texts.changePassword}
        </Button>
        <Button className="button" onPress={() => void logOut().then(() => location.reload())}>
          {texts.logOut}
        </Button>
      </div>
      {userName !== undefined && isChanging && (
        <ChangePasswordDialog userName={userName} onClose={() => setChanging(false)} />
      )}
    </header>
  );
}
