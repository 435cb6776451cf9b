import type { PartnerUser } from '@waybill/directory/partner-user';
import { credentialOf } from './credential-of.ts';
import type { LoginSession } from './login-sessions.ts';

/** Why a session is over although nobody has ended it, as the record says it; undefined while it goes on. */
export function reasonToEnd(session: LoginSession, user: PartnerUser | undefined): string | undefined {
  if (user === undefined) return 'there is no such user any more';
  if (!user.enabled || user.loginEpoch !== session.loginEpoch) return 'the user was frozen or disabled';
  return credentialOf(user) === session.credential ? undefined : 'the user has another password';
}
