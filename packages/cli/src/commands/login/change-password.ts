import { changeExpiredPasswordEndpoint } from '@waybill/contracts/endpoints/access/change-expired-password';
import { changeOwnPasswordEndpoint } from '@waybill/contracts/endpoints/files/account/change-own-password';
import type { PlatformClient } from '@waybill/platform-client/create-client';
import type { Invocation } from '../../command.ts';
import type { Side } from '../../platform/contexts.ts';
import { withOneTimeCode } from './with-one-time-code.ts';

/** A password, and the one that replaces it. */
export interface PasswordChange {
  readonly side: Side;
  readonly user: string;
  readonly present: string;
  readonly chosen: string;
}

/** Changes a password that its user proves, with a code of the second factor if there is one. All logins of the user end. */
export async function changePassword(
  { call }: Pick<PlatformClient, 'call'>,
  { side, user, present, chosen }: PasswordChange,
  invocation: Invocation,
): Promise<void> {
  await withOneTimeCode(async (code) => {
    const proof = { username: user, currentPassword: present, ...(code !== undefined && { code }) };
    const body = { ...proof, newPassword: chosen };
    if (side === 'partner') await call(changeOwnPasswordEndpoint, { body });
    else await call(changeExpiredPasswordEndpoint, { body });
  }, invocation);
}
