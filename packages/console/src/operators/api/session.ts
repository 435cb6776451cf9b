import { logInEndpoint } from '@waybill/contracts/endpoints/access/log-in';
import { logOutEndpoint } from '@waybill/contracts/endpoints/access/log-out';
import { refreshLoginEndpoint } from '@waybill/contracts/endpoints/access/refresh-login';
import type { tokenPairSchema } from '@waybill/contracts/endpoints/access/token-pair';
import type { z } from 'zod';
import { createStore } from '../../page-kit/create-store.ts';
import { forgetPlaces } from '../../page-kit/places/kept-places.ts';
import { isRefused } from './refusals.ts';
import { RequestFailure } from './request-failure.ts';
import { sendEndpoint } from './send-endpoint.ts';
import { askOtherTabs, keepTokens, keptTokens, onTokens, type Tokens, userOf } from './session-tokens.ts';
import { limitMs } from './time-limits.ts';

/**
 * Whether somebody is logged in. `unknown` while the page asks other tabs of the browser; `other user` once another user has logged
 * in than the one whom the page has served: nothing is shown until it is loaded again.
 */
export const sessionState = createStore<'unknown' | 'open' | 'closed' | 'other user'>('unknown');

/** Tokens are renewed when they are valid for less than this. */
const renewBeforeMs = 45_000;

let tokens: Tokens | undefined;
/** The user of this page: one for its whole life, also while the session is closed. */
let userOfPage: string | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Takes up the login of this tab before a reload, or that of another tab. */
export async function takeUpSession(): Promise<void> {
  onTokens((received) => {
    const isNews = received === undefined || received.expiresAt > (tokens?.expiresAt ?? 0) || isOfOther(received);
    if (isNews) hold(received);
  });
  const known = keptTokens() ?? (await askOtherTabs());
  if (tokens === undefined) hold(known);
}

/** Logs in; without a second factor, `code` is empty. @throws RequestFailure */
export async function logIn(username: string, password: string, code: string): Promise<void> {
  const body = { username, password, ...(code !== '' && { code }) };
  openSession(await sendEndpoint(logInEndpoint, { body, limitMs: limitMs.read }));
}

/**
 * Logs out, in all tabs. This page shows nothing any more: it has to be loaded again.
 * @throws RequestFailure if the server did not end the session: its user is still logged in
 */
export async function logOut(): Promise<void> {
  await inTurn(async () => {
    if (tokens === undefined) return;
    try {
      await sendEndpoint(logOutEndpoint, { body: { refreshToken: tokens.refreshToken }, limitMs: limitMs.read });
    } catch (error) {
      const hasEndedBefore = error instanceof RequestFailure && error.code === 'refresh_token_invalid';
      if (!hasEndedBefore) throw error;
    }
    forgetPlaces();
    share(undefined);
    // A login shown here would be lost with what is typed in it.
    sessionState.set('unknown');
  });
}

/** Takes up a login that has begun elsewhere. */
export function openSession(pair: z.infer<typeof tokenPairSchema>): void {
  share(received(pair));
}

/** An access token that is valid for some time; undefined if the login has ended. @throws RequestFailure */
export async function currentToken(): Promise<string | undefined> {
  if (tokens !== undefined && tokens.expiresAt - Date.now() < renewBeforeMs / 2) await renewTokens(tokens.accessToken);
  return tokens?.accessToken;
}

/**
 * New tokens in place of those with this access token. A refresh token can be used once, so that the tabs of a
 * browser take turns. Without success the session is over, unless the server was not reached.
 */
export async function renewTokens(replaced: string): Promise<string | undefined> {
  await inTurn(async () => {
    // What another tab has got meanwhile is still on its way.
    if (tokens?.accessToken === replaced) await new Promise((resolve) => setTimeout(resolve, 50));
    if (tokens === undefined || tokens.accessToken !== replaced) return;
    try {
      share(
        received(
          await sendEndpoint(refreshLoginEndpoint, {
            body: { refreshToken: tokens.refreshToken },
            limitMs: limitMs.read,
          }),
        ),
      );
    } catch (error) {
      if (!isRefusal(error)) throw error;
      share(undefined);
    }
  });
  return tokens?.accessToken;
}

/** Ends the session of this page: the server does not accept its tokens. */
export function closeSession(): void {
  share(undefined);
}

function isRefusal(error: unknown): boolean {
  return error instanceof RequestFailure && isRefused(error);
}

function inTurn(work: () => Promise<void>): Promise<void> {
  // Browsers have locks only on pages that came over HTTPS, or from this computer.
  return 'locks' in navigator ? navigator.locks.request('waybill-tokens', work) : work();
}

function received({ accessToken, refreshToken, expiresIn }: z.infer<typeof tokenPairSchema>): Tokens {
  return { accessToken, refreshToken, expiresAt: Date.now() + expiresIn * 1_000 };
}

function share(next: Tokens | undefined): void {
  hold(next);
  keepTokens(next);
}

function isOfOther(next: Tokens): boolean {
  const user = userOf(next);
  return userOfPage !== undefined && user !== undefined && user !== userOfPage;
}

function hold(next: Tokens | undefined): void {
  clearTimeout(timer);
  if (sessionState.get() === 'other user' || (next !== undefined && isOfOther(next))) {
    tokens = undefined;
    sessionState.set('other user');
    return;
  }
  tokens = next;
  userOfPage = (next && userOf(next)) ?? userOfPage;
  sessionState.set(next === undefined ? 'closed' : 'open');
  if (next === undefined) return;
  const remainingMs = next.expiresAt - Date.now();
  // Tabs that hold the same tokens do not all begin at once.
  const delayMs = Math.max(1_000, remainingMs - renewBeforeMs - Math.random() * 5_000);
  timer = setTimeout(() => void renewTokens(next.accessToken).catch(() => undefined), delayMs);
}
