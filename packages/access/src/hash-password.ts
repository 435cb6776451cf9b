import { randomBytes } from 'node:crypto';
import { argon2idCost } from './argon2id-cost.ts';
import { deriveArgon2id, saltBytes } from './argon2id-hash.ts';
import { formatArgon2idPhc } from './argon2id-phc.ts';

/** A fresh argon2id hash of the password, as a PHC string to be stored. */
export async function hashPassword(password: string): Promise<string> {
  return formatArgon2idPhc(await deriveArgon2id(password, { ...argon2idCost, salt: randomBytes(saltBytes) }));
}
