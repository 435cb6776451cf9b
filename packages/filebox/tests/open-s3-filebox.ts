import { randomUUID } from 'node:crypto';
import { ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import type { StorageClass } from '@waybill/contracts/configuration/storage-class';
import type { TestObjectStore } from '@waybill/test-kit/create-test-object-store';
import { vi } from 'vitest';
import type { BlobStore } from '../src/blobs/blob-store.ts';
import { openBlobStores } from '../src/blobs/open-blob-stores.ts';
import type { StorageClasses } from '../src/model/storage.ts';
import { sweepOrphans } from '../src/upkeep/sweep-orphans.ts';
import { sweepRemovals } from '../src/upkeep/sweep-removals.ts';
import { sweepUploads } from '../src/upkeep/sweep-uploads.ts';
import { ageEverything } from './age-everything.ts';
import { openTestFilebox, type TestFilebox } from './open-test-filebox.ts';

const { signal } = new AbortController();

/** A filebox whose new files go to S3, under a separate prefix for each test. */
export interface S3TestFilebox extends TestFilebox {
  storageClass: StorageClass;
  /** The class of new files; default: `objects`. */
  useClass(name: string): void;
  /** Names of all objects and of all unfinished multipart uploads, without prefix and digits. */
  held(): Promise<{ objects: string[]; uploads: string[] }>;
  /** Ages the index by days and, on request, all objects of S3, and sweeps. */
  sweepAfterDays(options?: { olderObjects: boolean }): Promise<void>;
}

/** Opens one for a test. The credentials are found as in a service: in the environment. */
export async function openS3Filebox(
  server: TestObjectStore,
  { endpoint = server.endpoint }: { endpoint?: string } = {},
): Promise<S3TestFilebox> {
  vi.stubEnv('AWS_ACCESS_KEY_ID', server.credentials.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', server.credentials.secretAccessKey);
  const { bucket, region, client } = server;
  const prefix = randomUUID();
  const storageClass: StorageClass = { name: 'objects', type: 's3', bucket, region, endpoint, prefix, pathStyle: true };
  let current = 'objects';
  const storageClasses: StorageClasses = {
    storageClassOf: async () => current,
    listStorageClasses: async () => [storageClass],
  };
  const box = await openTestFilebox({ storageClasses });
  const { db, blobDir } = box;
  const named = (key = ''): string => `${key.split('/')[1]}/${key.slice(key.lastIndexOf('/') + 1)}`;
  return {
    ...box,
    storageClass,
    useClass: (name) => (current = name),
    held: async () => {
      const at = { Bucket: bucket, Prefix: prefix };
      const { Contents = [] } = await client.send(new ListObjectsV2Command(at));
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand(at));
      return { objects: Contents.map(({ Key }) => named(Key)), uploads: Uploads.map(({ Key }) => named(Key)) };
    },
    sweepAfterDays: async ({ olderObjects } = { olderObjects: false }) => {
      await ageEverything(db, blobDir);
      await using stores = await openBlobStores({ blobDir, storageClasses });
      await sweepUploads({ db, signal });
      await ageEverything(db, blobDir);
      for (const name of await stores.names()) {
        const store = await stores.named(name);
        await sweepRemovals({ db, store, signal });
        if (olderObjects) await sweepOrphans({ db, store: aged(store), signal });
      }
    },
  };
}

/** The times that S3 reports cannot be changed. */
function aged(store: BlobStore): BlobStore {
  return {
    ...store,
    async *list() {
      for await (const { blobId } of store.list()) yield { blobId, modifiedAt: new Date(0) };
    },
  };
}
