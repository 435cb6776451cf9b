import { createStore } from '../../page-kit/create-store.ts';
import { sendRequest } from './send-request.ts';

/** `closed` once a request was refused for want of a login. */
export type SessionState = 'unknown' | 'open' | 'closed';

/** Whether the user is logged in, as far as the last response showed. */
export const sessionState = createStore<SessionState>('unknown');

/** Logs in. @throws RequestFailure for wrong credentials, and after too many failures */
export async function logIn(username: string, password: string): Promise<void> {
  await sendRequest('/2.0/login/basic', { method: 'POST', body: new URLSearchParams({ username, password }) });
  sessionState.set('open');
}

/** Logs out. */
export async function logOut(): Promise<void> {
  await sendRequest('/2.0/logout', { method: 'POST' }).catch(() => undefined);
  sessionState.set('closed');
}
