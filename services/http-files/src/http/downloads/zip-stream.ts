import { PassThrough, type Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { OpenedPart } from '../../domain/downloads/read-archive.ts';
import { createArchiveNames } from './archive-names.ts';

/** A zip archive that is created as it is read. */
export interface ZipStream {
  readonly content: Readable;
  /**
   * Records every included file as read, and returns the number of their bytes. Call it when the archive has been
   * handed over.
   */
  complete(): Promise<number>;
}

/**
 * Zips parts one after the other, no faster than the archive is read; one file is open at a time. A failure ends the
 * content with that error; when the content is destroyed, so are the parts.
 */
export function zipStream(parts: AsyncIterable<OpenedPart>): ZipStream {
  const zip = new ZipFile();
  const content = new PassThrough();
  const sent: Sent[] = [];
  const givenUp = new AbortController();
  content.once('close', () => givenUp.abort());
  const fail = (error: unknown): void => {
    content.destroy(error instanceof Error ? error : new Error('the archive cannot be created', { cause: error }));
  };
  zip.on('error', fail);
  pipeline(zip.outputStream, content).catch(fail);
  addParts({ zip, parts, sent, signal: givenUp.signal }).catch(fail);
  return {
    content,
    complete: async () => {
      for (const { complete } of sent) await complete();
      return sent.reduce((total, { bytes }) => total + bytes, 0);
    },
  };
}

/** An included file. */
interface Sent {
  readonly bytes: number;
  complete(): Promise<void>;
}

async function addParts(archive: {
  zip: ZipFile;
  parts: AsyncIterable<OpenedPart>;
  sent: Sent[];
  signal: AbortSignal;
}): Promise<void> {
  const { zip, parts, sent, signal } = archive;
  const nameOf = createArchiveNames();
  for await (const part of parts) {
    if (signal.aborted) return;
    const name = nameOf(part.name);
    if (part.kind === 'folder') {
      zip.addEmptyDirectory(name, { mtime: part.modifiedAt ?? new Date() });
      continue;
    }
    const { entry, stream, complete } = part.download;
    const bytes = stream();
    try {
      zip.addReadStream(bytes, name, { size: entry.size, mtime: entry.modifiedAt, compressionLevel: 1 });
      await finished(bytes, { signal });
    } finally {
      bytes.destroy();
    }
    sent.push({ bytes: entry.size, complete });
  }
  zip.end();
}
