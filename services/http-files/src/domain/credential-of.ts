import { createHash } from 'node:crypto';
import type { PartnerUser } from '@waybill/directory/partner-user';

/**
 * Tells what a user logged in with from what it would be now, and nothing about either: it is another one with another
 * password, and once the user was frozen or disabled.
 */
export function credentialOf({ id, loginEpoch, passwordHash }: PartnerUser): string {
  return createHash('sha256')
    .update(JSON.stringify([id, loginEpoch, passwordHash ?? null]))
    .digest('base64url');
}
