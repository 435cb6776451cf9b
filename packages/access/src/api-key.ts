import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** What API keys begin with, so that scanners for secrets find them. */
const prefix = 'wbk_';
const randomLength = 32;

/** 32 random bytes and their checksum of 4 bytes. */
const form = /^wbk_([\w-]{48})$/u;

/** A new key: `wbk_` and 48 characters, of which the last ones are a checksum. */
export function newApiKey(): string {
  const random = randomBytes(randomLength);
  return `${prefix}${Buffer.concat([random, checksumOf(random)]).toString('base64url')}`;
}

/** Whether a bearer token claims to be an API key. */
export function isApiKey(token: string): boolean {
  return token.startsWith(prefix);
}

/** What is stored of a key; `undefined` for a text that cannot be one. A key is random and long: a plain hash is enough. */
export function apiKeyHash(key: string): Buffer | undefined {
  const encoded = form.exec(key)?.[1];
  if (encoded === undefined) return undefined;
  const bytes = Buffer.from(encoded, 'base64url');
  const [random, checksum] = [bytes.subarray(0, randomLength), bytes.subarray(randomLength)];
  return checksumOf(random).equals(checksum) ? createHash('sha256').update(key).digest() : undefined;
}

function checksumOf(random: Buffer): Buffer {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(random));
  return checksum;
}
