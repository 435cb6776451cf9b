import { blobChunks } from '../blob-chunks.ts';
import type { BlobWriter } from '../blob-store.ts';
import { openSpoolFile, type SpoolFile } from '../local/spool-file.ts';
import type { CommitObserver } from '../upload-step.ts';
import { openS3BlobReader } from './s3-blob-reader.ts';
import type { S3Bucket } from './s3-bucket.ts';
import { S3ObjectUpload } from './s3-object-upload.ts';
import { partialMetadata } from './unsealed-blob.ts';

/** The destination of a blob. */
export interface S3BlobWriterOptions {
  bucket: S3Bucket;
  /** Name of the sealed object. */
  storedKey: string;
  /** Name of the object that keeps, between two writers, the bytes that are in no part. */
  partialKey: string;
  /** Folder for bytes that do not arrive in order. */
  spoolDir: string;
  partBytes: number | undefined;
  observe: CommitObserver;
}

/**
 * Writes a blob: straight to S3 while bytes arrive in order. From the first bytes that do not, all go to a local spool
 * file, which is sent when the blob is sealed.
 */
export class S3BlobWriter implements BlobWriter {
  readonly initialSize: number;
  readonly #options: S3BlobWriterOptions;
  readonly #upload: S3ObjectUpload;
  #spool: SpoolFile | undefined;
  #unsynced = false;
  #leavesPartial: boolean;

  constructor(options: S3BlobWriterOptions, upload: S3ObjectUpload, { hasPartial }: { hasPartial: boolean }) {
    this.#options = options;
    this.#upload = upload;
    this.#leavesPartial = hasPartial;
    this.initialSize = upload.position;
  }

  async write(chunks: readonly Uint8Array[], offset: number): Promise<void> {
    this.#unsynced = true;
    if (!this.#spool && offset !== this.#upload.position) this.#spool = await this.#openSpool();
    if (this.#spool) await this.#spool.write(chunks, offset);
    else for (const chunk of chunks) await this.#upload.append(chunk);
  }

  async truncate(size: number): Promise<void> {
    if (!this.#spool && size === this.#upload.position) return;
    this.#unsynced = true;
    this.#spool ??= await this.#openSpool();
    await this.#spool.truncate(size);
  }

  /** S3 cannot read bytes before they are an object: from here on the bytes are in the spool file too. */
  async read(offset: number, length: number): Promise<Buffer> {
    this.#spool ??= await this.#openSpool();
    return this.#spool.read(offset, length);
  }

  async sync(): Promise<void> {
    if (!this.#unsynced) return;
    const { bucket, partialKey, partBytes } = this.#options;
    this.#leavesPartial = true;
    if (this.#spool) {
      await sendAll(
        this.#spool,
        new S3ObjectUpload(bucket, { key: partialKey, metadata: partialMetadata(0), partBytes }),
      );
    } else {
      await this.#upload.settle();
      await bucket.put(partialKey, this.#upload.tail, partialMetadata(this.#upload.storedBytes));
    }
    this.#unsynced = false;
  }

  async seal(): Promise<void> {
    const { bucket, storedKey, partialKey, partBytes, observe } = this.#options;
    if (this.#spool) await sendAll(this.#spool, new S3ObjectUpload(bucket, { key: storedKey, partBytes }));
    else await this.#upload.complete();
    await observe('fileRenamed');
    if (this.#leavesPartial) await bucket.delete(partialKey);
    await observe('fileSynced');
    await this.#spool?.close();
  }

  async close(): Promise<void> {
    await this.#upload.cancel();
    await this.#spool?.close();
  }

  /** Parts cannot be read before they are an object: they become a temporary one, which no entry refers to. */
  async #openSpool(): Promise<SpoolFile> {
    const { bucket, storedKey: key, spoolDir } = this.#options;
    const spool = await openSpoolFile(spoolDir);
    try {
      if (this.#upload.storedBytes === 0) {
        await spool.write([this.#upload.tail], 0);
      } else {
        await this.#upload.complete();
        await fetchAll(bucket, key, spool);
        await bucket.delete(key);
      }
      return spool;
    } catch (error) {
      await spool.close();
      throw error;
    }
  }
}

async function fetchAll(bucket: S3Bucket, key: string, spool: SpoolFile): Promise<void> {
  const object = await bucket.head(key);
  if (!object) throw new Error(`${key} is missing right after it was created`);
  const reader = openS3BlobReader(bucket, { key, ...object });
  let offset = 0;
  for await (const chunk of blobChunks(reader, object.size)) {
    await spool.write([chunk], offset);
    offset += chunk.byteLength;
  }
}

async function sendAll(spool: SpoolFile, upload: S3ObjectUpload): Promise<void> {
  for await (const chunk of spool.chunks()) await upload.append(chunk);
  await upload.complete();
}
