import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { expect, test } from 'vitest';
import { openLocalBlobStore } from '../src/blobs/local/local-blob-store.ts';
import { shareBlob } from '../src/blobs/share-blob.ts';
import { sweepRemovals } from '../src/upkeep/sweep-removals.ts';
import { acme, openTestFilebox, vfsId, type TestFilebox } from './open-test-filebox.ts';

const { signal } = new AbortController();
const names = Array.from({ length: 20 }, (_, index) => `/f${index}`);

async function putAll(box: TestFilebox, content: string) {
  return Promise.all(names.map((name) => box.put(name, content)));
}

async function sweep({ db, blobDir }: TestFilebox): Promise<number> {
  await using store = await openLocalBlobStore({ dir: blobDir });
  return await sweepRemovals({ db, store, signal });
}

const idsOf = (files: readonly { blobId: string }[]): string[] => files.map(({ blobId }) => blobId).toSorted();

test('the blobs of replaced files are removed within the second, in few transactions', async () => {
  let transactions = 0;
  const box = await openTestFilebox({
    observe: (step) => {
      if (step === 'removalForgotten') transactions += 1;
    },
  });
  await putAll(box, 'old');
  const files = await putAll(box, 'new');
  await expect.poll(box.heldBlobs).toEqual(idsOf(files));
  await expect.poll(async () => box.db('filebox.blob_removals')).toEqual([]);
  // Each of them waits a tenth of a second for others; no sweeper runs here.
  expect(transactions).toBeLessThan(names.length / 2);
});

test('closing the filebox does not wait for more removals, and leaves nothing behind', async () => {
  const box = await openTestFilebox();
  await putAll(box, 'old');
  const files = await putAll(box, 'new');
  await box.filebox[Symbol.asyncDispose]();
  expect(await box.heldBlobs()).toEqual(idsOf(files));
  expect(await box.db('filebox.blob_removals')).toEqual([]);
});

test('failed removals are left to the sweeper, even if some of them were done', async () => {
  const box = await openTestFilebox({
    observe: (step) => {
      if (step === 'replacedBlobRemoved') throw new Error('the disk is away');
    },
  });
  await putAll(box, 'old');
  const files = await putAll(box, 'new');
  await box.filebox[Symbol.asyncDispose]();
  expect(await box.db('filebox.blob_removals')).toHaveLength(names.length);
  expect(await sweep(box)).toBe(names.length);
  expect(await box.heldBlobs()).toEqual(idsOf(files));
});

test('a blob that is being given to another file is neither removed with the others nor waited for', async () => {
  const box = await openTestFilebox();
  const [held, ...others] = await putAll(box, 'content');
  const heldId = held?.blobId ?? '';
  await box.db.transaction(async (trx) => {
    expect(await shareBlob(trx, heldId)).toBe(true);
    for (const name of names) await box.filebox.deleteFile(vfsId, parseVirtualPath(name), { origin: acme });
    await box.filebox[Symbol.asyncDispose]();
    expect(await box.heldBlobs()).toEqual([heldId]);
    expect(others).toHaveLength(names.length - 1);
    expect(await sweep(box)).toBe(0);
  });
  expect(await sweep(box)).toBe(1);
  expect(await box.heldBlobs()).toEqual([]);
});
