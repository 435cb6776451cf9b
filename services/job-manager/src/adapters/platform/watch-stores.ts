import { localStorageClass, type StorageClass } from '@waybill/contracts/configuration/storage-class';
import { openStoreProbe, type StoreProbe } from '@waybill/filebox/blobs/open-store-probe';
import type { StorageClasses, StorageSpace } from '@waybill/filebox/model/storage';
import type { S3Credentials } from '@waybill/service-kit/config/s3-config';
import { type Finding, type PartReport, type WatchedPart, watchPart } from '../../domain/platform/watched-part.ts';

/** How a storage class does. `details` are absent in S3. */
export interface StoreReport {
  readonly name: string;
  readonly type: StorageClass['type'];
  readonly report: PartReport<StorageSpace>;
}

/** The storage classes, each of them checked. */
export interface WatchedStores extends AsyncDisposable {
  /** `local` first, the others by name. */
  reports(): StoreReport[];
  readonly firstLook: Promise<unknown>;
}

/** What the stores are opened with. */
export interface WatchedStoresOptions {
  readonly blobDir: string;
  readonly s3Credentials: S3Credentials | undefined;
  readonly storageClasses: Pick<StorageClasses, 'listStorageClasses'>;
  /** S3 servers may count requests. */
  readonly intervalMs?: number;
  readonly limitMs?: number;
  readonly failed: (error: unknown) => void;
}

interface OpenStore {
  readonly storageClass: StorageClass;
  readonly probe: StoreProbe;
  readonly part: WatchedPart<StorageSpace>;
}

const fullBelow = 0.05;

/** Checks the storage classes of the configuration; while that cannot be read, those that were known. */
export async function watchStores(options: WatchedStoresOptions): Promise<WatchedStores> {
  const { blobDir, s3Credentials, storageClasses, intervalMs = 15_000, limitMs = 3_000, failed } = options;
  const open = new Map<string, OpenStore>();
  const local: StorageClass = { name: localStorageClass, type: 'local', folder: blobDir };
  const openStore = (storageClass: StorageClass): OpenStore => {
    const { name } = storageClass;
    const probe = openStoreProbe(storageClass, s3Credentials);
    const check = async (): Promise<Finding<StorageSpace>> => findingOf(name, await probe.look(limitMs));
    const part = watchPart({ name: `The storage class ${name}`, intervalMs, limitMs, check, failed });
    return { storageClass, probe, part };
  };
  const close = ({ part, probe }: OpenStore): void => {
    part[Symbol.dispose]();
    probe[Symbol.dispose]();
  };
  const follow = async (): Promise<void> => {
    const known = [local, ...(await storageClasses.listStorageClasses())];
    // A class that has changed is opened again.
    const wanted = new Map(known.map((storageClass) => [JSON.stringify(storageClass), storageClass]));
    for (const [key, store] of open) {
      if (wanted.has(key)) continue;
      open.delete(key);
      close(store);
    }
    for (const [key, storageClass] of wanted) if (!open.has(key)) open.set(key, openStore(storageClass));
  };
  await follow();
  let following: Promise<void> | undefined;
  const timer = setInterval(() => {
    following ??= follow()
      .catch(failed)
      .finally(() => {
        following = undefined;
      });
  }, intervalMs).unref();
  return {
    reports: () =>
      [...open.values()].map(({ storageClass: { name, type }, part }) => ({ name, type, report: part.report() })),
    firstLook: Promise.all([...open.values()].map(({ part }) => part.firstLook)),
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await following;
      for (const store of open.values()) close(store);
    },
  };
}

function findingOf(name: string, details: StorageSpace | undefined): Finding<StorageSpace> {
  if (details === undefined || details.freeBytes >= fullBelow * details.totalBytes) return { state: 'up', details };
  return { state: 'degraded', reason: `The disk of the storage class ${name} is nearly full`, details };
}
