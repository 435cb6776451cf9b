import { changeExpiredPasswordEndpoint } from '@waybill/contracts/endpoints/access/change-expired-password';
import { createStore } from '../../page-kit/create-store.ts';
import { sendEndpoint } from '../api/send-endpoint.ts';
import { sessionState } from '../api/session.ts';
import { texts } from '../texts/texts.ts';

/** Whether a password was set in this page that no login has followed yet: the login form says so. */
export const passwordIsSet = createStore(false);
sessionState.subscribe(() => {
  if (sessionState.get() === 'open') passwordIsSet.set(false);
});

/** A new password, typed twice. */
export interface PasswordChange {
  readonly username: string;
  readonly currentPassword: string;
  /** Of the second factor, if the user has one. */
  readonly code: string;
  readonly newPassword: string;
  readonly repeated: string;
}

/** Changes a password, which ends every login of the user. @throws Error */
export async function changePassword({ repeated, code, ...change }: PasswordChange): Promise<void> {
  if (change.newPassword !== repeated) throw new Error(texts.passwordsDiffer);
  await sendEndpoint(changeExpiredPasswordEndpoint, { body: { ...change, ...(code !== '' && { code }) } });
}
