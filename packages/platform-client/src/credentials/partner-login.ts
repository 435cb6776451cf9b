import { openLoginSessionEndpoint } from '@waybill/contracts/endpoints/files/logins/open-login-session';
import { PlatformError } from '../platform-error.ts';
import type { CallEndpoint, ReceivedHeaders } from '../requests/endpoint-call.ts';
import type { Credentials } from './credentials.ts';

/** Logs in a user of an actor, with a code if there is a second factor, and returns the value of the header `Cookie` that identifies the session. */
export async function openLoginSession(
  call: CallEndpoint,
  username: string,
  password: string,
  code?: string,
): Promise<string> {
  const { headers } = await call(openLoginSessionEndpoint, {
    body: { username, password, ...(code !== undefined && { code }) },
  });
  const cookie = cookiesOf(headers);
  if (cookie !== '') return cookie;
  throw new PlatformError('the answer to the login has no cookies', { code: 'answer_unreadable' });
}

/** How the session of a partner is kept. */
export interface PartnerLoginOptions {
  /** The value of the header `Cookie` of a session, if there is one. */
  readonly cookie?: string | undefined;
  /** Logs in again when there is no session, or it has ended; it returns the value of the header `Cookie`. */
  readonly logInAgain?: ((call: CallEndpoint) => Promise<string>) | undefined;
}

/** The session of a user of an actor, who logs in with a password. */
export function partnerLogin({ cookie: first, logInAgain }: PartnerLoginOptions): Credentials {
  let current = first;
  let running: Promise<string> | undefined;
  const open = async (call: CallEndpoint): Promise<{ cookie: string }> => {
    if (!logInAgain) throw new PlatformError('the session has ended', { code: 'invalid_credentials', status: 401 });
    // Requests at the same time share one login.
    running ??= logInAgain(call).finally(() => {
      running = undefined;
    });
    current = await running;
    return { cookie: current };
  };
  return {
    headers: async (call) => (current === undefined ? open(call) : { cookie: current }),
    renew: async (refused, call) => {
      if (current !== undefined && current !== refused['cookie']) return { cookie: current };
      return logInAgain ? open(call) : undefined;
    },
  };
}

function cookiesOf(headers: ReceivedHeaders): string {
  const lines = headers['set-cookie'] ?? [];
  return (typeof lines === 'string' ? [lines] : lines).map((line) => line.split(';', 1)[0]?.trim() ?? '').join('; ');
}
