import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createTestLog, rootOf } from '../tests/test-log.ts';
import { emptyTreeRoot, verifyConsistency } from './verify-consistency.ts';

const leaves = Array.from({ length: 40 }, (_, index) => hash('sha256', `\0${index}`, 'buffer'));
const log = createTestLog('example.org/log');
log.grow(40);
const tree = (size: number) => ({ size, root: rootOf(leaves.slice(0, size)) });
const other = hash('sha256', 'other', 'buffer');

describe('a consistency proof', () => {
  it('verifies for every two sizes up to 20, and not with another root, or with fewer or more hashes', () => {
    for (let to = 0; to <= 20; to += 1) {
      for (let from = 0; from <= to; from += 1) {
        const proof = log.prove(from, to);
        const [older, newer] = [tree(from), tree(to)];
        expect(verifyConsistency(older, newer, proof), `${from} and ${to}`).toBe(true);
        expect(verifyConsistency(older, newer, [...proof, other])).toBe(false);
        if (from === 0) continue;
        expect(verifyConsistency({ ...older, root: other }, newer, proof)).toBe(false);
        expect(verifyConsistency(older, { ...newer, root: other }, proof)).toBe(false);
        if (proof.length > 0) expect(verifyConsistency(older, newer, proof.slice(1))).toBe(false);
      }
    }
  });

  it('verifies with the vectors of the reference implementation of Certificate Transparency', () => {
    const root = (hex: string) => Buffer.from(hex, 'hex');
    const six = { size: 6, root: root('76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef') };
    const eight = { size: 8, root: root('5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328') };
    const proof = [
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ].map(root);
    expect(verifyConsistency(six, eight, proof)).toBe(true);
  });

  it('of sizes beyond 2^32 is computed without rounding', () => {
    const older = { size: 2 ** 45 + 1, root: other };
    expect(verifyConsistency(older, { size: 2 ** 46 + 3, root: other }, [other])).toBe(false);
    expect(verifyConsistency({ size: 2 ** 45, root: other }, { size: 2 ** 45 + 1, root: joined() }, [other])).toBe(
      true,
    );
  });

  it('of the empty tree is empty', () => {
    expect(verifyConsistency({ size: 0, root: emptyTreeRoot }, tree(0), [])).toBe(true);
    expect(verifyConsistency({ size: 0, root: emptyTreeRoot }, { size: 0, root: other }, [])).toBe(false);
    expect(verifyConsistency(tree(3), tree(0), [])).toBe(false);
  });
});

function joined(): Buffer {
  return hash('sha256', Buffer.concat([Buffer.from([1]), other, other]), 'buffer');
}
