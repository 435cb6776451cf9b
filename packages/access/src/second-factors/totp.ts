import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Seconds of one time step (RFC 6238 section 4). */
const stepSeconds = 30;

/** Digits that authenticator apps show. */
const usualDigits = 6;

/** Bytes of a new secret: as many as the hash has (RFC 4226 section 4, R6). */
const secretBytes = 20;

/** A new secret that is shared with an authenticator app. */
export function newTotpSecret(): Buffer {
  return randomBytes(secretBytes);
}

/** The time step of an instant, in milliseconds since 1970. */
export function timeStepAt(nowMs: number): number {
  return Math.floor(nowMs / 1_000 / stepSeconds);
}

/** The code of a secret for a time step: HOTP with SHA-1 (RFC 4226 section 5.3), the only hash that all apps know. */
export function totpCode(secret: Buffer, step: number, digits: number = usualDigits): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0xf;
  const truncated = mac.readUInt32BE(offset) & 0x7f_ff_ff_ff;
  return String(truncated % 10 ** digits).padStart(digits, '0');
}

/** Whether a text has the form of a code. */
export function isTotpForm(text: string): boolean {
  return /^\d{6}$/u.test(text);
}

/**
 * The time step for which a code is good, among the present one and its neighbours (RFC 6238 section 5.2: clocks differ and people
 * are slow). Steps up to `after` are used up: each code is good once.
 */
export function matchingStep(
  secret: Buffer,
  code: string,
  { nowMs, after }: { readonly nowMs: number; readonly after: number },
): number | undefined {
  if (!isTotpForm(code)) return undefined;
  const present = timeStepAt(nowMs);
  return [present - 1, present, present + 1].find(
    (step) => step > after && timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code)),
  );
}

/** The address that authenticator apps read, also as a QR code: `otpauth://totp/Waybill:admin?secret=...`. */
export function otpauthUri(userName: string, secret: Buffer): string {
  const issuer = 'Waybill';
  const label = `${issuer}:${encodeURIComponent(userName)}`;
  const parts = `secret=${toBase32(secret)}&issuer=${issuer}&algorithm=SHA1&digits=${usualDigits}&period=${stepSeconds}`;
  return `otpauth://totp/${label}?${parts}`;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Base32 (RFC 4648 section 6) without padding, in which people type secrets into apps. */
export function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/gu) ?? []).map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}
