import { createHash } from 'node:crypto';
import type { PartnerUser } from '@waybill/directory/partner-user';

/** Tells one password of a user from the next, and nothing about either. */
export function credentialOf({ passwordHash }: Pick<PartnerUser, 'passwordHash'>): string {
  return createHash('sha256')
    .update(passwordHash ?? '')
    .digest('base64url');
}
