import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { BlobWriter } from '../blobs/blob-store.ts';
import { createInOrderHash, type InOrderHash } from './in-order-hash.ts';
import { createWriteQueue, type WriteQueue } from './write-queue.ts';

/** What a file may have that was not sent: the gaps that a client leaves while it sends out of order. */
const holeBytesAtMost = 1024 ** 3;

/** The bytes of an upload as they come in. */
export interface UploadContent {
  /** Bytes so far, those of running writes included. */
  size(): number;
  /** True when anything was changed since it was opened. */
  isTouched(): boolean;
  /** @throws CodedError `storage_full`, `byte_limit_reached`, `operation_unsupported` */
  write(chunk: Uint8Array, offset: number): Promise<void>;
  /** @throws as `write` does */
  truncate(size: number): Promise<void>;
  /** What is there when the writes before it are done. */
  read(offset: number, length: number): Promise<Buffer>;
  sync(): Promise<void>;
  /** Answers when nothing is being written any more. @throws the first failure */
  idle(): Promise<void>;
  /** SHA-256, if the bytes came in order from the first one on. Asked when all of them are written. */
  digest(): Promise<Buffer | undefined>;
}

/** Where the bytes go. */
export interface UploadContentOptions {
  writer: BlobWriter;
  /** Makes sure that the blob is still ours and may have this size; undefined when there is nothing to ask. */
  assure(sizeBytes: number): Promise<void> | undefined;
  /** Told of the first failure of the store. */
  onFailure(error: unknown): void;
}

/** Writes in the order of the calls, and hashes while the disk works. */
export function createUploadContent({ writer, assure, onFailure }: UploadContentOptions): UploadContent {
  const hash = createInOrderHash(writer.follow);
  let size = writer.initialSize;
  // Bytes that were there or were sent; more than the size when some were sent twice.
  let receivedBytes = size;
  let touched = false;
  // What is there already was not seen here: it is read when the hash is wanted.
  if (size > 0) hash.truncate(size);

  const guarded = (work: Promise<void>): Promise<void> => reportFailure(work, onFailure);
  const assured = async (sizeBytes: number): Promise<void> => {
    const assurance = assure(sizeBytes);
    if (assurance) await guarded(assurance);
  };
  const queue = createWriteQueue(async (chunks, offset) => {
    const end = chunks.reduce((position, { byteLength }) => position + byteLength, offset);
    await assured(Math.max(size, end));
    const written = guarded(writer.write(chunks, offset));
    hashAll(hash, chunks, offset);
    await written;
    hash.written();
  });
  const grow = (to: number): void => {
    refuseGaps(to, receivedBytes);
    size = to;
    touched = true;
  };

  return {
    size: () => size,
    isTouched: () => touched,
    write: async (chunk, offset) => {
      if (chunk.byteLength === 0) return;
      receivedBytes += chunk.byteLength;
      grow(Math.max(size, offset + chunk.byteLength));
      await queue.push(chunk, offset);
    },
    truncate: async (to) => {
      grow(to);
      await queue.run(async () => {
        await assured(to);
        hash.truncate(to);
        await guarded(writer.truncate(to));
      });
    },
    read: (offset, length) => readBack({ writer, queue }, offset, Math.max(0, Math.min(length, size - offset))),
    sync: () => queue.run(() => guarded(writer.sync())),
    idle: () => queue.idle(),
    digest: () => hash.digest(),
  };
}

function hashAll(hash: InOrderHash, chunks: readonly Uint8Array[], offset: number): void {
  let position = offset;
  for (const chunk of chunks) {
    hash.update(chunk, position);
    position += chunk.byteLength;
  }
}

/** A few bytes must not make a file of any size: what was never sent is hashed and read like the rest. */
function refuseGaps(sizeBytes: number, receivedBytes: number): void {
  if (Number.isSafeInteger(sizeBytes) && sizeBytes - receivedBytes <= holeBytesAtMost) return;
  throw new CodedError('operation_unsupported', {
    detail: 'The gaps in a file, which were never sent, can have 1 GiB at most',
  });
}

async function readBack(
  { writer, queue }: { writer: BlobWriter; queue: WriteQueue },
  offset: number,
  length: number,
): Promise<Buffer> {
  let bytes: Buffer = Buffer.alloc(0);
  await queue.run(async () => {
    if (length > 0) bytes = await writer.read(offset, length);
  });
  return bytes;
}

async function reportFailure(work: Promise<void>, onFailure: (error: unknown) => void): Promise<void> {
  try {
    await work;
  } catch (error) {
    onFailure(error);
    throw error;
  }
}
