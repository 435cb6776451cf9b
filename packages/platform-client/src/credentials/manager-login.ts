import { logInEndpoint } from '@waybill/contracts/endpoints/access/log-in';
import { refreshLoginEndpoint } from '@waybill/contracts/endpoints/access/refresh-login';
import { z } from 'zod';
import { PlatformError } from '../platform-error.ts';
import type { CallEndpoint } from '../requests/endpoint-call.ts';
import type { Credentials } from './credentials.ts';

/** The tokens of a login. `expiresAt`: when the access token expires, in milliseconds since 1970. */
export const loginTokensSchema = z.object({ accessToken: z.string(), refreshToken: z.string(), expiresAt: z.number() });

/** The tokens of a login. */
export type LoginTokens = z.infer<typeof loginTokensSchema>;

/** Where the tokens of a login are kept. */
export interface TokenStore {
  read(): Promise<LoginTokens | undefined>;
  /**
   * Replaces the tokens by those that `exchange` returns, and returns them. One exchange runs at a time, in all processes that use
   * the store: a refresh token that is used twice ends its login.
   */
  replace(exchange: (current: LoginTokens | undefined) => Promise<LoginTokens>): Promise<LoginTokens>;
}

/** A store in the memory of this process. */
export function tokensInMemory(first?: LoginTokens): TokenStore {
  let current = first;
  let last: Promise<unknown> = Promise.resolve();
  return {
    read: async () => current,
    replace: async (exchange) => {
      const next = last.then(async () => {
        current = await exchange(current);
        return current;
      });
      last = next.catch(() => undefined);
      return next;
    },
  };
}

/** Logs in as a manager user. `code`: of a second factor. */
export async function logIn(
  call: CallEndpoint,
  username: string,
  password: string,
  code?: string,
): Promise<LoginTokens> {
  const { body } = await call(logInEndpoint, { body: { username, password, ...(code !== undefined && { code }) } });
  return loginTokensOf(body);
}

/** The tokens in the answer to a login. */
export function loginTokensOf(pair: {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresIn: number;
}): LoginTokens {
  const { accessToken, refreshToken, expiresIn } = pair;
  return { accessToken, refreshToken, expiresAt: Date.now() + expiresIn * 1_000 };
}

/** Access tokens are renewed this long before they expire. */
const leadMs = 30_000;

/**
 * A login whose tokens are renewed before they expire, and when they are refused.
 * @param logInAgain makes other tokens if there are none, or they cannot be renewed
 */
export function managerLogin(
  store: TokenStore,
  logInAgain?: (call: CallEndpoint) => Promise<LoginTokens>,
): Credentials {
  const renewed = async (call: CallEndpoint, isUsable: (tokens: LoginTokens) => boolean) =>
    store.replace(async (current) => {
      // Another process may have renewed them meanwhile.
      if (current && isUsable(current)) return current;
      return refreshed(call, current, logInAgain);
    });
  const headersWith = ({ accessToken }: LoginTokens) => ({ authorization: `Bearer ${accessToken}` });
  return {
    headers: async (call) => {
      const isFresh = ({ expiresAt }: LoginTokens): boolean => expiresAt - leadMs > Date.now();
      const tokens = await store.read();
      return headersWith(tokens && isFresh(tokens) ? tokens : await renewed(call, isFresh));
    },
    renew: async (refused, call) =>
      headersWith(await renewed(call, (tokens) => headersWith(tokens).authorization !== refused['authorization'])),
  };
}

async function refreshed(
  call: CallEndpoint,
  current: LoginTokens | undefined,
  logInAgain: ((call: CallEndpoint) => Promise<LoginTokens>) | undefined,
): Promise<LoginTokens> {
  const ended = new PlatformError('the login has ended', { code: 'refresh_token_invalid', status: 401 });
  if (!current) {
    if (logInAgain) return logInAgain(call);
    throw ended;
  }
  try {
    const { body } = await call(refreshLoginEndpoint, { body: { refreshToken: current.refreshToken } });
    return loginTokensOf(body);
  } catch (error) {
    if (!(error instanceof PlatformError) || error.code !== 'refresh_token_invalid') throw error;
    if (logInAgain) return logInAgain(call);
    throw ended;
  }
}
