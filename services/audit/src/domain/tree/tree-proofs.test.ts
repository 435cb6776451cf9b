import { describe, expect, it } from 'vitest';
import { rootFromProof } from '../../../tests/root-from-proof.ts';
import { emptyRange, extendRange, rootOf } from './compact-range.ts';
import { isConsistent } from './is-consistent.ts';
import { emptyRoot, leafHash } from './tree-hash.ts';
import { type HashSource, proveConsistency, proveInclusion } from './tree-proofs.ts';

/** The leaves and roots of the tests of Certificate Transparency's reference implementation. */
const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const roots = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

const all = Array.from({ length: 64 }, (_, index) => leafHash(`leaf ${index}`));
const rootAt = (size: number) => rootOf(extendRange(emptyRange, all.slice(0, size)).range);
const hashes: HashSource = {
  read: (places) =>
    Promise.resolve(
      places.map(({ level, number }) =>
        rootOf(extendRange(emptyRange, all.slice(number * 2 ** level, (number + 1) * 2 ** level)).range),
      ),
    ),
};

describe('the tree', () => {
  it('has the roots of the reference implementation', () => {
    const hashed = leaves.map((hex) => leafHash(Buffer.from(hex, 'hex').toString()));
    const found = hashed.map((_, index) => rootOf(extendRange(emptyRange, hashed.slice(0, index + 1)).range));
    expect(found.map((root) => root.toString('hex'))).toEqual(roots);
    expect(rootOf(emptyRange)).toEqual(emptyRoot);
  });

  it('reports each node at the levels 8 and 16 once, when its last leaf is appended', () => {
    const leaf = leafHash('leaf');
    const batches = [1, 254, 1, 300, 65_000, 1_000].map((count) => Array.from({ length: count }, () => leaf));
    let range = emptyRange;
    const completed: string[] = [];
    for (const batch of batches) {
      const extended = extendRange(range, batch);
      range = extended.range;
      completed.push(...extended.completed.map(({ level, number }) => `${level}/${number}`));
    }
    const expected = Array.from({ length: Math.floor(range.size / 256) }, (_, number) => `8/${number}`);
    expect(completed.toSorted()).toEqual([...expected, '16/0'].toSorted());
  });
});

describe('proofs', () => {
  it('of inclusion verify for every leaf of every tree of up to 64 leaves', async () => {
    for (let size = 1; size <= all.length; size += 1) {
      for (let index = 0; index < size; index += 1) {
        const proof = await proveInclusion(hashes, index, size);
        const leaf = all[index] ?? emptyRoot;
        expect(rootFromProof({ leaf, index, size, proof }), `${index} of ${size}`).toEqual(rootAt(size));
      }
    }
  });

  it('of consistency verify for every two trees of up to 64 leaves, and for no other root', async () => {
    for (let to = 1; to <= all.length; to += 1) {
      for (let from = 0; from <= to; from += 1) {
        const proof = await proveConsistency(hashes, from, to);
        const [older, newer] = [
          { size: from, root: rootAt(from) },
          { size: to, root: rootAt(to) },
        ];
        expect(isConsistent(older, newer, proof), `${from} and ${to}`).toBe(true);
        if (from === 0) continue;
        expect(isConsistent({ ...older, root: leafHash('forged') }, newer, proof)).toBe(false);
        if (from < to) expect(isConsistent(older, { ...newer, root: leafHash('forged') }, proof)).toBe(false);
        expect(isConsistent(older, newer, [...proof, leafHash('more')])).toBe(false);
        if (proof.length > 0) expect(isConsistent(older, newer, proof.slice(1))).toBe(false);
      }
    }
  });
});
