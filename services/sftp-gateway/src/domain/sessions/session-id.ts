import { randomBytes } from 'node:crypto';

/** An unguessable session id: 512 random bits as 128 upper-case hexadecimal characters. */
export function createSessionId(): string {
  return randomBytes(64).toString('hex').toUpperCase();
}
