import { basePath } from '../address/console-links.tsx';
import { sessionState } from '../api/session.ts';

/** A fragment: it is not sent to the server. */
const mark = '#first-password?';

/** The address at which a user sets a first password. It has the name, and not the code, which would stay in the history of the browser. */
export function firstPasswordAddress(userName: string): string {
  return `${location.origin}${basePath}/${mark}${new URLSearchParams({ user: userName }).toString()}`;
}

let invited: string | undefined;

/** Whether the address is one at which a user sets a first password. */
function isInvitation(): boolean {
  return location.hash.startsWith(mark);
}

/** Loads the page again when such an address is entered in a tab that shows the login. */
export function followFirstPasswordInvitations(): void {
  addEventListener('hashchange', () => {
    if (isInvitation() && sessionState.get() === 'closed') location.reload();
  });
}

/** Takes the name of a user who is to set a first password out of the address, if the page was opened there. */
export function takeFirstPasswordInvitation(): void {
  if (!isInvitation()) return;
  invited = new URLSearchParams(location.hash.slice(mark.length)).get('user') ?? '';
  history.replaceState(null, '', `${location.pathname}${location.search}`);
}

/** The name of the user who is to set a first password; undefined if the page was opened otherwise. */
export function invitedToFirstPassword(): string | undefined {
  return invited;
}
