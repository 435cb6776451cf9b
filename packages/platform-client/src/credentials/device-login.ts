import { setTimeout as sleep } from 'node:timers/promises';
import {
  beginOidcDeviceLoginEndpoint,
  finishOidcDeviceLoginEndpoint,
} from '@waybill/contracts/endpoints/access/oidc-endpoints';
import { tokenPairSchema } from '@waybill/contracts/endpoints/access/token-pair';
import { z } from 'zod';
import { isPlatformError, PlatformError } from '../platform-error.ts';
import type { CallEndpoint } from '../requests/endpoint-call.ts';
import { isPassing } from '../requests/repetition.ts';
import { type LoginTokens, loginTokensOf } from './manager-login.ts';

/** Where a user logs in, with which code. */
export interface DeviceInvitation {
  readonly userCode: string;
  readonly verificationUri: string;
  readonly verificationUriComplete?: string | undefined;
}

/** Who has logged in. */
export interface DeviceLogin {
  readonly user: string;
  readonly tokens: LoginTokens;
}

/** Added to the interval when the issuer asks for that (RFC 8628 section 3.5). */
const slowerSeconds = 5;

/** Between two requests after many failures, unless the issuer asks for a longer interval. */
const longestBackoffSeconds = 30;

const subjectSchema = z.object({ sub: z.string() });

/**
 * Logs in with the issuer of the platform (OpenID Connect), in a browser of any device: `invite` shows where. While the platform or
 * the issuer is away, the questions whether the user has logged in become rarer.
 * @throws PlatformError `oidc_login_refused`, also when the time for it is over; what the last question failed with, if it did
 */
export async function logInOnDevice(
  call: CallEndpoint,
  invite: (invitation: DeviceInvitation) => void,
  signal?: AbortSignal,
): Promise<DeviceLogin> {
  const { body: begun } = await call(beginOidcDeviceLoginEndpoint, { signal });
  invite(begun);
  const endsAt = performance.now() + begun.expiresIn * 1_000;
  let { interval } = begun;
  let wait = interval;
  let failure: PlatformError | undefined;
  while (performance.now() < endsAt) {
    await sleep(wait * 1_000, undefined, { signal });
    const answer = await ask(call, begun.deviceCode, signal);
    failure = answer instanceof PlatformError ? answer : undefined;
    if (answer instanceof PlatformError) {
      // RFC 8628 section 3.5 recommends to double the interval.
      wait = Math.max(interval, Math.min(wait * 2, longestBackoffSeconds), answer.retryAfterSeconds ?? 0);
      continue;
    }
    if ('tokens' in answer) return answer;
    if (answer.slowDown) interval += slowerSeconds;
    wait = interval;
  }
  const late = new PlatformError('the login was not completed in time', { code: 'oidc_login_refused', status: 401 });
  throw failure ?? late;
}

/** Whether the user has logged in; a failure that may be gone in a moment is an answer, too. */
async function ask(
  call: CallEndpoint,
  deviceCode: string,
  signal: AbortSignal | undefined,
): Promise<DeviceLogin | { readonly slowDown: boolean } | PlatformError> {
  try {
    const { body } = await call(finishOidcDeviceLoginEndpoint, { body: { deviceCode }, signal });
    const pair = tokenPairSchema.safeParse(body);
    if (pair.success) return { user: userOf(pair.data.accessToken), tokens: loginTokensOf(pair.data) };
    return { slowDown: 'slowDown' in body && body.slowDown };
  } catch (error) {
    if (isPlatformError(error) && isPassing(error)) return error;
    throw error;
  }
}

/** The name in an access token. The platform has verified it. */
function userOf(accessToken: string): string {
  const payload: unknown = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString());
  return subjectSchema.parse(payload).sub;
}
