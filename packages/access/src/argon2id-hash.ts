import { argon2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** The cost parameters and the values of a hash. `memoryKib` in units of 1024 bytes. */
export interface Argon2idHash {
  readonly memoryKib: number;
  readonly passes: number;
  readonly parallelism: number;
  readonly salt: Buffer;
  readonly tag: Buffer;
}

type Cost = Omit<Argon2idHash, 'tag'>;

/** Bytes of salt and of tag in the hashes that we make. RFC 9106 section 3.1. */
export const saltBytes = 16;
const tagBytes = 32;

const derive = promisify(argon2);

/**
 * The hash of `password` (normalised to NFC, because keyboards encode characters differently) with this cost and salt.
 */
export async function deriveArgon2id(password: string, cost: Cost, length: number = tagBytes): Promise<Argon2idHash> {
  const tag = await derive('argon2id', {
    message: Buffer.from(password.normalize('NFC')),
    nonce: cost.salt,
    parallelism: cost.parallelism,
    memory: cost.memoryKib,
    passes: cost.passes,
    tagLength: length,
  });
  return { ...cost, tag };
}

/** Returns true if `password` has this hash, in the same time as false. */
export async function matchesArgon2id(hash: Argon2idHash, password: string): Promise<boolean> {
  const { tag } = await deriveArgon2id(password, hash, hash.tag.length);
  return timingSafeEqual(tag, hash.tag);
}
