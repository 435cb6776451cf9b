import { createStore } from '../../page-kit/create-store.ts';
import { forgetPlaces } from '../../page-kit/places/kept-places.ts';
import { texts } from '../texts.ts';
import { RequestFailure, sendRequest } from './send-request.ts';

/** `closed` once a request was refused for want of a login. */
export type SessionState = 'unknown' | 'open' | 'closed';

/** Whether the user is logged in: only who asks for that, as a login does, opens it. */
export const sessionState = createStore<SessionState>('unknown');

/** The user of this page, as the server knows it: one for the whole life of the page, also while the session is closed. */
export const userOfPage = createStore<string | undefined>(undefined);

/** The pages of this browser have one session: what one of them learns, the others need. */
const otherPages = new BroadcastChannel('waybill-user');
otherPages.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (userOfPage.get() !== undefined && data !== userOfPage.get()) startOver();
});

let note: string | undefined;

/** Has the login say something else than that the session has ended. */
export function noteLogin(text: string): void {
  note = text;
}

/** What the login says first, until somebody has logged in. */
export function noteOfLogin(): string | undefined {
  return note;
}

/** Logs in; without a second factor, `code` is empty. @throws RequestFailure for wrong credentials, and after too many failures */
export async function logIn(username: string, password: string, code: string): Promise<void> {
  await sendRequest('/2.0/login/basic', {
    method: 'POST',
    body: new URLSearchParams({ username, password, ...(code !== '' && { code }) }),
  });
  note = undefined;
  await recognizeUser();
}

/**
 * Asks the server who is logged in. If it is another user than that of this page, the page is loaded again: nothing of one
 * user, such as listings, chosen files and the address, is left to the other. @throws RequestFailure without a session
 */
export async function recognizeUser(): Promise<void> {
  const response = await sendRequest('/2.0/account');
  const { userName } = (await response.json()) as { readonly userName: string };
  otherPages.postMessage(userName);
  if (userOfPage.get() !== undefined && userOfPage.get() !== userName) {
    startOver();
    return;
  }
  userOfPage.set(userName);
  sessionState.set('open');
}

/**
 * What follows from a refusal for want of a session: the login takes the place of the page. A user who is logged in, but may not
 * reach files here, reads there why; the session, which is good for nothing, ends.
 */
export function closeSession({ kind, message }: RequestFailure): void {
  if (sessionState.get() === 'closed') return;
  if (kind === 'configuration') {
    note = texts.noAccess(message);
    void sendRequest('/2.0/logout', { method: 'POST', keepalive: true }).catch(() => undefined);
  }
  sessionState.set('closed');
}

/** Logs out. @throws RequestFailure if the server did not end the session: its user is still logged in */
export async function logOut(): Promise<void> {
  try {
    const response = await sendRequest('/2.0/logout', { method: 'POST' });
    // A proxy may answer in place of the platform, which sends JSON.
    await response.json().catch(() => {
      throw new RequestFailure(response.status, texts.unexpected(response.status));
    });
  } catch (error) {
    const hasEndedBefore = error instanceof RequestFailure && error.kind === 'authentication' && error.status === 401;
    if (!hasEndedBefore) throw error;
  }
  note = texts.loggedOut;
  forgetPlaces();
  sessionState.set('closed');
}

function startOver(): void {
  // Suspends the uploads, so that leaving the page needs no confirmation.
  sessionState.set('closed');
  location.replace('/ui/');
}
