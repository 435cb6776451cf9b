import type { Database } from '@waybill/postgres/database';
import type { S3Credentials } from '@waybill/service-kit/config/s3-config';
import { openBlobStores } from '../blobs/open-blob-stores.ts';
import type { StorageClasses } from '../model/storage.ts';
import { checkBlob, type BlobToCheck } from './check-blob.ts';
import { createPace } from './create-pace.ts';
import type { DamagedFile } from './damaged-file.ts';
import { createVerificationRecord, type Verification } from './verification-record.ts';

const page = 500;

/** What is verified, how fast, and who receives progress. */
export interface VerifyFilesOptions {
  db: Database;
  /** Folder of the class `local`. It is not created. */
  blobDir: string;
  /** Which files are kept where; default: all in `local`. */
  storageClasses?: StorageClasses;
  /** For S3; default: the AWS SDK's credential chain. */
  s3Credentials?: S3Credentials | undefined;
  /** Only files of this VFS; default: all. */
  vfsId?: string | undefined;
  /** Its name, for the audit log. */
  vfsName?: string | undefined;
  /** The actor in the audit event. */
  by: { user: string; nodeId: string; managerName: string };
  /** The number of blobs read at the same time. */
  concurrency: number;
  /** The rate limit of all reads together. */
  bytesPerSecond: number;
  onDamaged(file: DamagedFile): void | Promise<void>;
  /** Called after each read and each check. */
  onProgress?(progress: VerificationProgress): void;
}

/** The progress of a verification. */
export interface VerificationProgress extends Verification {
  /** The number of contents at the start. */
  totalBlobs: number;
  /** The bytes of these contents. */
  totalBytes: number;
}

/**
 * Reads the stored content of each file, and compares its size and SHA-256 with those in the index. Files may be added
 * and deleted meanwhile. A finding is audited once, and stored for the metrics of `reportVerifications`.
 * @throws CodedError `service_unavailable` if a storage class cannot be reached: nothing is reported about its files
 */
export async function verifyFiles(options: VerifyFilesOptions): Promise<Verification> {
  const {
    db,
    blobDir,
    storageClasses,
    s3Credentials,
    vfsId,
    vfsName,
    by,
    concurrency,
    bytesPerSecond,
    onDamaged,
    onProgress,
  } = options;
  await using stores = await openBlobStores({ blobDir, storageClasses, s3Credentials, mustExist: true });
  const stopping = new AbortController();
  const pace = createPace(bytesPerSecond, stopping.signal);
  const record = createVerificationRecord({ db, vfsId, vfsName, by });
  const blobs = storedBlobs(db, vfsId);
  const total: Verification = { blobs: 0, bytes: 0, damaged: 0 };
  const expected = onProgress === undefined ? undefined : await countStored(db, vfsId);
  const tell = (): void => {
    if (expected !== undefined) onProgress?.({ ...total, ...expected });
  };
  const read = async (bytes: number): Promise<void> => {
    total.bytes += bytes;
    tell();
    await pace(bytes);
  };
  tell();
  const work = async (): Promise<void> => {
    for await (const blob of { [Symbol.asyncIterator]: () => shared(blobs) }) {
      stopping.signal.throwIfAborted();
      const problem = await checkBlob(blob, await stores.named(blob.storageClass), read);
      total.blobs += 1;
      const damaged = problem ? await record.damaged(blob, problem) : await record.sound(blob);
      total.damaged += damaged.length;
      tell();
      for (const file of damaged) await onDamaged(file);
    }
  };
  const stopAll = (error: unknown): never => {
    stopping.abort(error);
    throw error;
  };
  const ended = await Promise.allSettled(Array.from({ length: concurrency }, () => work().catch(stopAll)));
  if (ended.some(({ status }) => status === 'rejected')) stopping.signal.throwIfAborted();
  await record.finish(total);
  return total;
}

/** An iterator that several consumers share: one of them ending does not end it for the others. */
function shared<T>(items: AsyncGenerator<T, void, void>): AsyncIterator<T> {
  return { next: () => items.next() };
}

/** A content that several files share counts once. */
async function countStored(db: Database, vfsId: string | undefined) {
  const { rows } = await db.transaction(async (trx) => {
    // Reads the whole table, which may exceed the usual statement timeout.
    await trx.raw('SET LOCAL statement_timeout = 0');
    return await trx.raw<{ rows: { blobs: string; bytes: string }[] }>(
      `SELECT count(*) AS blobs, COALESCE(sum(size), 0) AS bytes FROM (
         SELECT DISTINCT blob_id, storage_class, size, sha256 FROM filebox.entries
         WHERE blob_id IS NOT NULL AND (CAST(:vfsId AS text) IS NULL OR vfs_id = :vfsId)
       ) AS stored`,
      { vfsId: vfsId ?? null },
    );
  });
  return { totalBlobs: Number(rows[0]?.blobs ?? 0), totalBytes: Number(rows[0]?.bytes ?? 0) };
}

/** In the order of ids: they begin with the time, so blobs stored meanwhile come last. */
async function* storedBlobs(db: Database, vfsId: string | undefined): AsyncGenerator<BlobToCheck, void, void> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const { rows } = await db.raw<{ rows: { blob_id: string; storage_class: string; size: string; sha256: Buffer }[] }>(
      `SELECT blob_id, storage_class, size, sha256 FROM filebox.entries
       WHERE blob_id > CAST(:after AS uuid) AND (CAST(:vfsId AS text) IS NULL OR vfs_id = :vfsId)
       GROUP BY blob_id, storage_class, size, sha256 ORDER BY blob_id LIMIT :page`,
      { after, vfsId: vfsId ?? null, page },
    );
    for (const { blob_id: blobId, storage_class: storageClass, size, sha256 } of rows) {
      yield { blobId, storageClass, size: Number(size), sha256 };
    }
    const last = rows.at(-1);
    if (!last || rows.length < page) return;
    after = last.blob_id;
  }
}
