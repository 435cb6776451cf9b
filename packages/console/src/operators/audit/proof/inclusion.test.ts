import { expect, it } from 'vitest';
import { type Bytes, bytesOf, hexOf, sha256 } from './hashes.ts';
import { type InclusionProof, leafHash, parseProof, rootOf } from './inclusion.ts';

/** The tree as RFC 6962, section 2.1, defines it. */
async function treeHash(leaves: readonly Bytes[]): Promise<Bytes> {
  if (leaves.length === 1) return leafHash(leaves[0] ?? bytesOf(''));
  const split = splitOf(leaves.length);
  const [left, right] = await Promise.all([treeHash(leaves.slice(0, split)), treeHash(leaves.slice(split))]);
  return sha256(Uint8Array.of(1), left, right);
}

/** The audit path of section 2.1.1. */
async function pathOf(index: number, leaves: readonly Bytes[]): Promise<Bytes[]> {
  if (leaves.length === 1) return [];
  const split = splitOf(leaves.length);
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
  return index < split
    ? [...(await pathOf(index, left)), await treeHash(right)]
    : [...(await pathOf(index - split, right)), await treeHash(left)];
}

function splitOf(size: number): number {
  return 2 ** Math.floor(Math.log2(size - 1));
}

it('leads from each leaf of a tree of any size to its root, and from no other', async () => {
  for (let size = 1; size <= 20; size += 1) {
    const leaves = Array.from({ length: size }, (_, index) => bytesOf(`leaf ${index}`));
    const root = hexOf(await treeHash(leaves));
    for (const [index, leaf] of leaves.entries()) {
      const proof: InclusionProof = { index, hashes: await pathOf(index, leaves), checkpoint: '' };
      const reached = async (given: InclusionProof, content: Bytes, ofSize = size) => {
        const found = await rootOf(await leafHash(content), given, ofSize);
        return found !== undefined && hexOf(found) === root;
      };
      expect(await reached(proof, leaf), `${index} of ${size}`).toBe(true);
      expect(await reached(proof, bytesOf('another'))).toBe(false);
      expect(await reached(proof, leaf, 0)).toBe(false);
      expect(await reached({ ...proof, index: size }, leaf)).toBe(false);
      expect(await reached({ ...proof, hashes: [...proof.hashes, leaf] }, leaf)).toBe(false);
      if (size > 1) {
        expect(await reached({ ...proof, hashes: proof.hashes.slice(1) }, leaf)).toBe(false);
        expect(await reached({ ...proof, index: (index + 1) % size }, leaf)).toBe(false);
      }
    }
  }
});

it('has the form of a tlog-proof', () => {
  const hash = 'A'.repeat(43);
  const note = 'origin\n2\nroot\n\n— signature\n';
  expect(parseProof(`c2sp.org/tlog-proof@v1\nindex 1\n${hash}=\n\n${note}`)).toMatchObject({
    index: 1,
    checkpoint: note,
  });
  for (const wrong of [
    '',
    `index 1\n${hash}=\n\n${note}`,
    `c2sp.org/tlog-proof@v1\nindex 01\n\n${note}`,
    `c2sp.org/tlog-proof@v1\nindex -1\n\n${note}`,
    `c2sp.org/tlog-proof@v1\nindex 1\nnot a hash\n\n${note}`,
  ])
    expect(parseProof(wrong), wrong).toBeUndefined();
});
