import { generateKeyPairSync, hash, sign } from 'node:crypto';
import { formatKey, keyId } from '../src/verifier-key.ts';

/** A log in memory that signs checkpoints and proves their consistency: the recursive definitions of RFC 6962. */
export function createTestLog(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const leaves: Buffer[] = [];
  const textOf = (size: number, root = rootOf(leaves.slice(0, size))) =>
    `${origin}\n${size}\n${root.toString('base64')}\n`;
  const signText = (text: string): string => {
    const field = Buffer.concat([keyId(origin, 1, key), sign(null, Buffer.from(text), privateKey)]);
    return `${text}\n— ${origin} ${field.toString('base64')}\n`;
  };
  return {
    origin,
    verifierKey: formatKey(origin, 1, key),
    originHash: hash('sha256', origin),
    grow: (size: number, salt = '') => {
      while (leaves.length < size) leaves.push(hash('sha256', `\0${salt}${leaves.length}`, 'buffer'));
    },
    /** Replaces the leaves from `index` on. */
    rewrite: (index: number) => {
      for (const [at] of leaves.entries()) if (at >= index) leaves[at] = hash('sha256', `\0other ${at}`, 'buffer');
    },
    checkpoint: (size: number, root?: Buffer) => signText(textOf(size, root)),
    signText,
    textOf,
    prove: (from: number, to: number) => (from === 0 ? [] : prove(from, leaves.slice(0, to), true)),
    /** The body of a request. */
    submission: (from: number, to: number) => {
      const proof = from === 0 || from > to ? [] : prove(from, leaves.slice(0, to), true);
      return bodyOf(from, proof, signText(textOf(to)));
    },
  };
}

/** A test log. */
export type TestLog = ReturnType<typeof createTestLog>;

/** The body of an add-checkpoint request. */
export function bodyOf(old: number | string, proof: readonly Buffer[], checkpoint: string): string {
  return `old ${old}\n${proof.map((one) => `${one.toString('base64')}\n`).join('')}\n${checkpoint}`;
}

/** The root of a tree over leaf hashes. */
export function rootOf(hashes: readonly Buffer[]): Buffer {
  const [first] = hashes;
  if (!first) return hash('sha256', '', 'buffer');
  if (hashes.length === 1) return first;
  const split = splitOf(hashes.length);
  return inner(rootOf(hashes.slice(0, split)), rootOf(hashes.slice(split)));
}

function prove(from: number, hashes: readonly Buffer[], isWhole: boolean): Buffer[] {
  if (from === hashes.length) return isWhole ? [] : [rootOf(hashes)];
  const split = splitOf(hashes.length);
  return from <= split
    ? [...prove(from, hashes.slice(0, split), isWhole), rootOf(hashes.slice(split))]
    : [...prove(from - split, hashes.slice(split), false), rootOf(hashes.slice(0, split))];
}

function splitOf(count: number): number {
  let split = 1;
  while (split * 2 < count) split *= 2;
  return split;
}

function inner(left: Buffer, right: Buffer): Buffer {
  return hash('sha256', Buffer.concat([Buffer.from([1]), left, right]), 'buffer');
}
