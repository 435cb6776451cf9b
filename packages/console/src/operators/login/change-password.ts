import { changeExpiredPasswordEndpoint } from '@waybill/contracts/endpoints/access/change-expired-password';
import { sendEndpoint } from '../api/send-endpoint.ts';
import { texts } from '../texts/texts.ts';

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
