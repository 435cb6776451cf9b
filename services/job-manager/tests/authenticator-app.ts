import { timeStepAt, totpCode } from '@waybill/access/second-factors/totp';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code that an authenticator app shows for a secret in Base32, now or `ahead` steps of 30 s later. */
export function codeOfApp(secret: string, ahead = 0): string {
  const bits = Array.from(secret, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const bytes = (bits.match(/.{8}/gu) ?? []).map((byte) => Number.parseInt(byte, 2));
  return totpCode(Buffer.from(bytes), timeStepAt(Date.now()) + ahead);
}
