import { join } from 'node:path';
import { createTestFolder, type TestFolder } from '@waybill/test-kit/create-test-folder';
import { createTestObjectStore, type TestObjectStore } from '@waybill/test-kit/create-test-object-store';
import { afterAll, beforeAll, describe } from 'vitest';
import { openS3BlobStore } from '../src/blobs/s3/s3-blob-store.ts';
import { testBlobStoreContract } from './blob-store-contract.ts';
import { contractPartBytes as partBytes } from './contract-blobs.ts';

let folder: TestFolder;
let server: TestObjectStore;
beforeAll(async () => {
  folder = await createTestFolder();
  server = await createTestObjectStore();
});
afterAll(async () => {
  await server.stop();
  await folder.remove();
});

async function open(prefix = 'files') {
  const { bucket, region, endpoint, credentials } = server;
  const place = { bucket, region, endpoint, prefix, pathStyle: true };
  const spoolDir = join(folder.path, 'spool');
  const storageClass = { name: 'objects', type: 's3', ...place } as const;
  return openS3BlobStore({ storageClass, spoolDir, credentials, partBytes });
}

describe('blobs in S3', () => {
  testBlobStoreContract(open);
});
