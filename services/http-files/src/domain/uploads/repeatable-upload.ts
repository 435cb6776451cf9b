import { createHash } from 'node:crypto';
import type { IncomingFile } from './incoming-file.ts';
import { measuredContent } from './measured-content.ts';

/** An upload whose likeness to another one can be told. */
export interface RepeatableUpload {
  readonly incoming: IncomingFile;
  /** A digest of path, media type, content and metadata, once all is read; nothing when that failed in the middle. */
  fingerprint(): Promise<string | undefined>;
}

/** Watches an upload as it is read. */
export function repeatableUpload(path: string, incoming: IncomingFile): RepeatableUpload {
  const { content, measure } = measuredContent(incoming.content);
  const digest = async (): Promise<string | undefined> => {
    const measured = await measure();
    if (measured === undefined) return undefined;
    const metadata = Object.entries(await incoming.metadata()).toSorted(([one], [other]) => (one < other ? -1 : 1));
    const request = JSON.stringify([path, incoming.mediaType, measured.size, measured.sha256, metadata]);
    return createHash('sha256').update(request).digest('hex');
  };
  let digested: ReturnType<typeof digest> | undefined;
  return { incoming: { ...incoming, content }, fingerprint: () => (digested ??= digest()) };
}
