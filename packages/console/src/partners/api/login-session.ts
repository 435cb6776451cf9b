import { createStore } from '../../page-kit/create-store.ts';
import { sendRequest } from './send-request.ts';

/** `closed` once a request was refused for want of a login. */
export type SessionState = 'unknown' | 'open' | 'closed';

/** Whether the user is logged in, as far as the last response showed. */
export const sessionState = createStore<SessionState>('unknown');

let userName = '';
let note: string | undefined;

/** The name that the user of this page typed; empty after a reload, because only the server knows it then. */
export function userNameOfPage(): string {
  return userName;
}

/** Has the login say something else than that the session has ended. */
export function noteLogin(text: string): void {
  note = text;
}

/** What the login says first, until somebody has logged in. */
export function noteOfLogin(): string | undefined {
  return note;
}

/** Logs in. @throws RequestFailure for wrong credentials, and after too many failures */
export async function logIn(username: string, password: string): Promise<void> {
  userName = username;
  await sendRequest('/2.0/login/basic', { method: 'POST', body: new URLSearchParams({ username, password }) });
  note = undefined;
  sessionState.set('open');
}

/** Logs out. */
export async function logOut(): Promise<void> {
  await sendRequest('/2.0/logout', { method: 'POST' }).catch(() => undefined);
  sessionState.set('closed');
}
