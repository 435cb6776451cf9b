import { createTestFolder, type TestFolder } from '@waybill/test-kit/create-test-folder';
import { afterAll, beforeAll, describe } from 'vitest';
import { openLocalBlobStore } from '../src/blobs/local/local-blob-store.ts';
import { testBlobStoreContract } from './blob-store-contract.ts';

let folder: TestFolder;
beforeAll(async () => {
  folder = await createTestFolder();
});
afterAll(() => folder.remove());

describe('blobs on a local disk', () => {
  testBlobStoreContract(() => openLocalBlobStore({ dir: folder.path }));
});
