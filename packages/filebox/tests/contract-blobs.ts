import { createHash, randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { BlobStore, BlobWriter } from '../src/blobs/blob-store.ts';

/** The part size for a store that sends parts, so that few bytes are many parts. */
export const contractPartBytes = 512 * 1024;
/** In hexadecimal digits. */
export const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** Writes content in adjacent chunks. */
export async function write(writer: BlobWriter, content: Uint8Array, from = 0): Promise<void> {
  for (let offset = 0; offset < content.byteLength; offset += 256 * 1024) {
    await writer.write([content.subarray(offset, offset + 256 * 1024)], from + offset);
  }
}

/** Stores content and returns the id of its blob. */
export async function store(on: BlobStore, content: Uint8Array): Promise<string> {
  const blobId = randomUUID();
  const writer = await on.create(blobId);
  await write(writer, content);
  await writer.seal();
  return blobId;
}

/** The content of a sealed blob. */
export async function readAll(on: BlobStore, blobId: string, size: number): Promise<Buffer> {
  const reader = await on.open(blobId, size);
  const content = await collect(reader.stream(0, size));
  await reader.close();
  return content;
}

/** The ids of all blobs that a store holds. */
export async function collect(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The ids of all that a store holds. */
export async function heldBlobs(on: BlobStore): Promise<Set<string>> {
  const held = new Set<string>();
  for await (const { blobId } of on.list()) held.add(blobId);
  return held;
}
