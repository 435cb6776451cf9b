import type { PartnerUser } from '@waybill/directory/users/partner-user';
import { keyFingerprint } from '@waybill/directory/users/public-key-line';
import type { LoginEvidence } from '../../domain/sessions/server-session.ts';
import type { LoginMethod } from './authenticate-connection.ts';
import type { KeyHolder } from './find-user-by-key.ts';

/** How a user has logged in; `key` is the one that signed, if any. */
export function evidenceOf(
  { authentication }: Pick<PartnerUser, 'authentication'>,
  method: LoginMethod,
  key: KeyHolder['key'] | undefined,
): LoginEvidence {
  const [, base64 = ''] = key?.split(' ') ?? [];
  return {
    authentication: authentication === 'both' ? `publickey+${method}` : method,
    ...(key !== undefined && { keyFingerprint: keyFingerprint(Buffer.from(base64, 'base64')) }),
  };
}
