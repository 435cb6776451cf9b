import { argon2idCost } from './argon2id-cost.ts';
import { matchesArgon2id, saltBytes, type Argon2idHash } from './argon2id-hash.ts';
import { parseArgon2idPhc } from './argon2id-phc.ts';

/**
 * UTF-16 units of the longest password, of 1024 characters. A longer text is never right, and is not normalised:
 * for 100 000 combining marks that blocks the process for seconds.
 */
const longestPassword = 2_048;

/** A dummy hash: comparing with it costs the same as with a real one, and never succeeds. */
const nobody: Argon2idHash = { ...argon2idCost, salt: Buffer.alloc(saltBytes), tag: Buffer.alloc(32) };

/**
 * Returns true if `password` has this hash. Without a hash (`undefined`: no such user, or no password) it returns
 * false after the same work, so that the time does not reveal which users exist.
 */
export async function verifyPassword(stored: string | undefined, password: string): Promise<boolean> {
  const isPossible = password.length <= longestPassword;
  const hash = stored === undefined || !isPossible ? undefined : parseArgon2idPhc(stored);
  const matches = await matchesArgon2id(hash ?? nobody, isPossible ? password : '');
  return hash !== undefined && matches;
}
