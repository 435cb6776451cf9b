import { setTimeout as sleep } from 'node:timers/promises';
import {
  beginOidcDeviceLoginEndpoint,
  finishOidcDeviceLoginEndpoint,
} from '@waybill/contracts/endpoints/access/oidc-endpoints';
import { tokenPairSchema } from '@waybill/contracts/endpoints/access/token-pair';
import { z } from 'zod';
import { PlatformError } from '../platform-error.ts';
import type { CallEndpoint } from '../requests/endpoint-call.ts';
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

const subjectSchema = z.object({ sub: z.string() });

/**
 * Logs in with the issuer of the platform (OpenID Connect), in a browser of any device: `invite` shows where.
 * @throws PlatformError `oidc_login_refused`, also when the time for it is over
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
  while (performance.now() < endsAt) {
    await sleep(interval * 1_000, undefined, { signal });
    const { body } = await call(finishOidcDeviceLoginEndpoint, { body: { deviceCode: begun.deviceCode }, signal });
    const pair = tokenPairSchema.safeParse(body);
    if (pair.success) return { user: userOf(pair.data.accessToken), tokens: loginTokensOf(pair.data) };
    if ('slowDown' in body && body.slowDown) interval += slowerSeconds;
  }
  throw new PlatformError('the login was not completed in time', { code: 'oidc_login_refused', status: 401 });
}

/** The name in an access token. The platform has verified it. */
function userOf(accessToken: string): string {
  const payload: unknown = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString());
  return subjectSchema.parse(payload).sub;
}
