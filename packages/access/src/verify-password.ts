import { argon2idCost, matchesArgon2id, saltBytes, type Argon2idHash } from './argon2id-hash.ts';
import { parseArgon2idPhc } from './argon2id-phc.ts';

/**
 * UTF-16 units of the longest password, of 1024 characters. What is longer is never right, and is not normalised: for 100 000
 * combining marks that takes seconds, in which the process does nothing else.
 */
const longestPassword = 2_048;

/** Nobody's hash: as dear to compare with as a true one, and never equal. */
const nobody: Argon2idHash = { ...argon2idCost, salt: Buffer.alloc(saltBytes), tag: Buffer.alloc(32) };

/**
 * True when `password` is the one that was hashed. No hash (`undefined`: no such user, or one without a password) is
 * false after the same work, so that the time taken does not tell who exists.
 */
export async function verifyPassword(stored: string | undefined, password: string): Promise<boolean> {
  const isPossible = password.length <= longestPassword;
  const hash = stored === undefined || !isPossible ? undefined : parseArgon2idPhc(stored);
  const matches = await matchesArgon2id(hash ?? nobody, isPossible ? password : '');
  return hash !== undefined && matches;
}
