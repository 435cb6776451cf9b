import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { FollowedFile } from '../blobs/hashing/file-hasher.ts';
import { createInOrderHash } from './in-order-hash.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const chunk = (text: string): Uint8Array => Buffer.from(text);

test('bytes that arrive in order need no second read', async () => {
  const hash = createInOrderHash();
  hash.update(chunk('abc'), 0);
  hash.update(chunk('def'), 3);
  expect((await hash.digest())?.toString('hex')).toBe(sha256('abcdef'));
});

test('no bytes have the hash of empty content', async () => {
  expect((await createInOrderHash().digest())?.toString('hex')).toBe(sha256(''));
});

test.each([
  ['a gap', 7],
  ['a rewrite', 2],
])('%s makes the hash unknown', async (_, offset) => {
  const hash = createInOrderHash();
  hash.update(chunk('abc'), 0);
  hash.update(chunk('def'), offset);
  expect(await hash.digest()).toBeUndefined();
});

test('a gap that is filled later leaves the hash unknown', async () => {
  const hash = createInOrderHash();
  hash.update(chunk('def'), 3);
  hash.update(chunk('abc'), 0);
  hash.update(chunk('def'), 3);
  expect(await hash.digest()).toBeUndefined();
});

test('a truncation to the present size changes nothing, to another size makes the hash unknown, to zero restarts it', async () => {
  const hash = createInOrderHash();
  hash.update(chunk('abc'), 0);
  hash.truncate(3);
  hash.update(chunk('d'), 3);
  hash.truncate(1);
  hash.truncate(0);
  hash.update(chunk('xyz'), 0);
  expect((await hash.digest())?.toString('hex')).toBe(sha256('xyz'));
  hash.truncate(2);
  expect(await hash.digest()).toBeUndefined();
});

describe('a big file', () => {
  const mebibyte = Buffer.alloc(1024 * 1024);
  const ofTheThread = Buffer.from('the result of the thread');

  /** Notes the calls to the thread. */
  function createFollow() {
    const told: string[] = [];
    const follow = (): FollowedFile => {
      told.push('follow');
      return {
        grown: (toBytes) => void told.push(`grown to ${toBytes}`),
        digest: async (sizeBytes) => {
          told.push(`digest of ${sizeBytes}`);
          return ofTheThread;
        },
        forget: () => void told.push('forget'),
      };
    };
    return { told, hash: createInOrderHash(follow) };
  }

  function writeInOrder(hash: ReturnType<typeof createInOrderHash>, mebibytes: number): void {
    for (let at = 0; at < mebibytes; at += 1) {
      hash.update(mebibyte, at * mebibyte.length);
      hash.written();
    }
  }

  test('a big file is handed to the thread, which is notified of written bytes only', async () => {
    const { told, hash } = createFollow();
    writeInOrder(hash, 3);
    hash.update(mebibyte, 3 * mebibyte.length);
    expect(told).toEqual([]);
    hash.written();
    expect(told).toEqual(['follow', 'grown to 4194304']);
    hash.update(chunk('x'), 4 * mebibyte.length);
    expect(told).toHaveLength(2);
    hash.written();
    expect(await hash.digest()).toBe(ofTheThread);
    expect(told.slice(2)).toEqual(['grown to 4194305', 'digest of 4194305']);
  });

  test('a small file is not handed to the thread', async () => {
    const { told, hash } = createFollow();
    writeInOrder(hash, 3);
    expect((await hash.digest())?.toString('hex')).toBe(sha256('\0'.repeat(3 * mebibyte.length)));
    expect(told).toEqual([]);
  });

  test.each([
    ['a rewrite', (hash: ReturnType<typeof createInOrderHash>) => hash.update(chunk('x'), 0)],
    ['a gap', (hash: ReturnType<typeof createInOrderHash>) => hash.update(chunk('x'), 2 ** 30)],
    ['a cut', (hash: ReturnType<typeof createInOrderHash>) => hash.truncate(5)],
  ])('after %s the thread forgets the file, and the hash is unknown', async (_, change) => {
    const { told, hash } = createFollow();
    writeInOrder(hash, 4);
    change(hash);
    hash.written();
    expect(told.at(-1)).toBe('forget');
    expect(await hash.digest()).toBeUndefined();
  });

  test('a file that restarts is handed to the thread again', async () => {
    const { told, hash } = createFollow();
    writeInOrder(hash, 4);
    hash.truncate(0);
    expect(told.at(-1)).toBe('forget');
    writeInOrder(hash, 4);
    expect(told.slice(3)).toEqual(['follow', 'grown to 4194304']);
    expect(await hash.digest()).toBe(ofTheThread);
  });
});
