import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { merkleRoot } from './merkle-root.ts';

/** The definition of RFC 9162 section 2.1.1, word for word. */
function treeHash(leaves: readonly Buffer[]): Buffer {
  const digest = (...parts: (Buffer | Uint8Array)[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
  const [only] = leaves;
  if (!only) return digest();
  if (leaves.length === 1) return digest(Uint8Array.of(0), only);
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return digest(Uint8Array.of(1), treeHash(leaves.slice(0, split)), treeHash(leaves.slice(split)));
}

describe('merkleRoot', () => {
  it('is the tree of RFC 9162 for any number of leaves', () => {
    const anyHash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));
    fc.assert(
      fc.property(fc.array(anyHash, { maxLength: 40 }), (leaves) => {
        expect(merkleRoot(leaves.map((leaf) => leaf.toString('hex')))).toBe(treeHash(leaves).toString('hex'));
      }),
    );
  });
});
