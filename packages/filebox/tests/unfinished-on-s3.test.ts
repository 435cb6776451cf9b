import { randomBytes } from 'node:crypto';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { createTestObjectStore, type TestObjectStore } from '@waybill/test-kit/create-test-object-store';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openUnfinishedUploads } from '../src/unfinished/open-unfinished-uploads.ts';
import { openS3Filebox } from './open-s3-filebox.ts';
import { acme, vfsId } from './open-test-filebox.ts';

let server: TestObjectStore;
beforeAll(async () => {
  server = await createTestObjectStore();
});
afterAll(() => server?.stop());

const path = parseVirtualPath('/a.bin');
const bytes = 8 * 1024 * 1024 + 100;
const everybody = { ofUsers: undefined, within: async () => {} };

async function open(endpoint?: string) {
  const box = await openS3Filebox(server);
  const storageClass = { ...box.storageClass, ...(endpoint !== undefined && { endpoint }) };
  const unfinished = await openUnfinishedUploads({
    db: box.db,
    blobDir: box.blobDir,
    storageClasses: { storageClassOf: async () => 'objects', listStorageClasses: async () => [storageClass] },
  });
  onTestFinished(() => unfinished[Symbol.asyncDispose]());
  const upload = await box.filebox.beginUpload(vfsId, path, { origin: acme, overwrite: true, resumable: true });
  await upload.write(randomBytes(bytes), 0);
  const list = () => unfinished.list({ ofUsers: undefined, limit: 10 });
  return { ...box, unfinished, upload, list };
}

test('an interrupted upload in S3 is listed with its size, and leaves nothing when it is discarded', async () => {
  const box = await open();
  await box.upload.suspend();
  expect(await box.list()).toMatchObject([{ path, size: bytes, isHeld: false }]);
  expect(await box.unfinished.discard(box.upload.blobId, everybody)).toMatchObject({ path });
  expect([await box.held(), await box.list()]).toEqual([{ objects: [], uploads: [] }, []]);
});

test('an upload to S3 that is discarded while it runs is not stored, and the sweep finds what its client sent later', async () => {
  const box = await open();
  expect(await box.unfinished.discard(box.upload.blobId, everybody)).toMatchObject({ isHeld: true });
  await expect(box.upload.commit()).rejects.toMatchObject({ code: 'upload_incomplete' });
  expect(await box.get(path)).toBeUndefined();
  await box.sweepAfterDays({ olderObjects: true });
  expect(await box.held()).toEqual({ objects: [], uploads: [] });
});

test('an S3 that does not answer hides the size alone; what it still has goes with the next sweep', async () => {
  const box = await open('http://127.0.0.1:1');
  await box.upload.suspend();
  expect(await box.list()).toMatchObject([{ path, size: undefined }]);
  expect(await box.unfinished.discard(box.upload.blobId, everybody)).toMatchObject({ path });
  expect(await box.list()).toEqual([]);
  expect(await box.held()).not.toEqual({ objects: [], uploads: [] });
  await box.sweepAfterDays();
  expect(await box.held()).toEqual({ objects: [], uploads: [] });
});
