import { blobChunks } from '../blobs/blob-chunks.ts';
import type { BlobReader } from '../blobs/blob-store.ts';
import type { UploadContent } from './upload-content.ts';

/** The content of a file that is there. */
export interface SharedContent {
  blobId: string;
  size: number;
  sha256: Buffer;
  /** Reads it even when the file is gone. */
  reader: BlobReader;
}

/** The content of an upload that it may have in common with a file, for as long as nothing else is done to it. */
export interface ShareableContent extends UploadContent {
  /** Takes the content of a file for its own, which must be empty and untouched. */
  share(content: SharedContent): void;
  /** What it has in common with a file. */
  shared(): SharedContent | undefined;
  /** Makes what is shared bytes of its own, and answers when nothing is being written any more. */
  own(): Promise<void>;
  /** Lets go of what is shared. */
  release(): Promise<void>;
}

/** Adds sharing to the content of an upload. Whatever looks at bytes or changes them ends it. */
export function createShareableContent(content: UploadContent, onFailure: (error: unknown) => void): ShareableContent {
  let shared: SharedContent | undefined;
  let owning: Promise<void> | undefined;
  const release = async (): Promise<void> => {
    const { reader } = shared ?? {};
    shared = undefined;
    await reader?.close();
  };
  const owned = async (): Promise<void> => {
    if (shared) await (owning ??= fill(shared, { content, onFailure }).finally(() => (shared = undefined)));
  };
  return {
    share: (wanted) => (shared = wanted),
    shared: () => shared,
    release,
    own: async () => {
      await owned();
      await content.idle();
    },
    // All of it from the beginning: it does not grow while it is being copied.
    size: () => Math.max(shared?.size ?? 0, content.size()),
    isTouched: () => shared !== undefined || content.isTouched(),
    digest: () => content.digest(),
    write: async (chunk, offset) => {
      if (shared) await owned();
      await content.write(chunk, offset);
    },
    truncate: async (size) => {
      if (shared) await owned();
      await content.truncate(size);
    },
    read: async (offset, length) => {
      if (shared) await owned();
      return content.read(offset, length);
    },
    sync: async () => {
      if (shared) await owned();
      await content.sync();
    },
    idle: async () => {
      await owning;
      await content.idle();
    },
  };
}

async function fill(
  { reader, size }: SharedContent,
  { content, onFailure }: { content: UploadContent; onFailure: (error: unknown) => void },
): Promise<void> {
  try {
    await copyBytes(reader, { size, content });
  } catch (error) {
    onFailure(error);
    throw error;
  }
}

/** Copies a content chunk by chunk to the beginning of another, and closes the reader. */
export async function copyBytes(
  reader: Pick<BlobReader, 'read' | 'close'>,
  { size, content }: { size: number; content: Pick<UploadContent, 'write'> },
): Promise<void> {
  let offset = 0;
  for await (const chunk of blobChunks(reader, size)) {
    await content.write(chunk, offset);
    offset += chunk.byteLength;
  }
}
