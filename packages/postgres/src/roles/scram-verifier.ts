import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { CodedError } from '@waybill/contracts/errors/coded-error';

const iterations = 4_096;

/**
 * PostgreSQL's stored form of a password (RFC 5803): if it is sent instead of the password, the password itself
 * reaches neither the server nor its log. Only ASCII, for which no client needs a profile of Unicode (RFC 4013).
 * @throws CodedError `configuration_invalid` if the password has other characters
 */
export function scramVerifier(password: string, salt: Buffer = randomBytes(16)): string {
  if (!/^[\u0020-\u007e]+$/u.test(password)) {
    throw new CodedError('configuration_invalid', {
      detail: 'The password of a database role has characters other than printable ASCII',
    });
  }
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const keyOf = (name: string): Buffer => createHmac('sha256', salted).update(name).digest();
  const storedKey = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  const serverKey = keyOf('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
