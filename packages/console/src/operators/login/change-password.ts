import { changeExpiredPasswordEndpoint } from '@waybill/contracts/endpoints/access/change-expired-password';
import { sendEndpoint } from '../api/send-endpoint.ts';
import { logIn } from '../api/session.ts';
import { texts } from '../texts/texts.ts';

/** A new password, typed twice. */
export interface PasswordChange {
  readonly username: string;
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly repeated: string;
}

/** Changes a password, which ends every login of the user, and logs in with the new one. @throws Error */
export async function changePassword({ repeated, ...change }: PasswordChange): Promise<void> {
  if (change.newPassword !== repeated) throw new Error(texts.passwordsDiffer);
  await sendEndpoint(changeExpiredPasswordEndpoint, { body: change });
  await logIn(change.username, change.newPassword);
}
