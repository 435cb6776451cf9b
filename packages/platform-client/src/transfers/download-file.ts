import { createWriteStream } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import { downloadFileEndpoint } from '@waybill/contracts/endpoints/files/downloads/download-file';
import type { PlatformClient } from '../create-client.ts';
import { isPlatformError, PlatformError } from '../platform-error.ts';
import type { ReceivedHeaders } from '../requests/endpoint-call.ts';
import { outlast } from './outlast.ts';
import { sha256Of, type TransferOptions } from './transfer-options.ts';

/** A file to download. */
export interface FileToDownload extends TransferOptions {
  /** Its virtual path on the platform. */
  readonly path: string;
  /** The local file, which is replaced when the download is complete. */
  readonly file: string;
}

/** A file as it was received. */
export interface ReceivedFile {
  /** In hexadecimal; it was verified. */
  readonly sha256: string;
  readonly size: number;
  /** Bytes that an earlier run had received already. */
  readonly resumedAt: number;
}

/** The content so far, beside the file: its name has the version that the content is of. */
interface PartialFile {
  readonly file: string;
  readonly sha256: string;
  readonly size: number;
}

/**
 * Downloads a file, and verifies its SHA-256 before it gets its name. Interruptions are outlasted; if the process ends, the next
 * call resumes from `<name>.<sha256>.part` if the platform still has that version. Throws `PlatformError`.
 */
export async function downloadFile(client: PlatformClient, download: FileToDownload): Promise<ReceivedFile> {
  const first = await findPartial(download.file);
  let position = first?.size ?? 0;
  const noteProgress = (bytes: number): void => {
    position = bytes;
  };
  const complete = await outlast(
    () => receive(client, download, noteProgress),
    () => position,
    download,
  );
  if ((await sha256Of(complete.file, download.signal)) !== complete.sha256) {
    await rm(complete.file, { force: true });
    throw new PlatformError(`what has arrived of ${download.path} differs from it`, { code: 'content_differs' });
  }
  await rename(complete.file, download.file);
  const { sha256, size } = complete;
  return { sha256, size, resumedAt: first?.sha256 === sha256 ? first.size : 0 };
}

async function receive(
  client: PlatformClient,
  download: FileToDownload,
  noteProgress: (bytes: number) => void,
): Promise<PartialFile> {
  const partial = await findPartial(download.file);
  const { status, headers, body } = await request(client, download, partial);
  const sha256 = textOf(headers['etag']).replaceAll('"', '');
  if (!/^[\da-f]{64}$/u.test(sha256)) {
    body.destroy();
    throw new PlatformError(`${download.path} has no entity tag with a SHA-256`, { code: 'answer_unreadable' });
  }
  const start = status === 206 && partial?.sha256 === sha256 ? partial.size : 0;
  if (partial && start === 0) await rm(partial.file, { force: true });
  const total = start + Number(textOf(headers['content-length']));
  const file = partialName(download.file, sha256);
  await save(client, body, { file, start, total, download, noteProgress });
  return { file, sha256, size: total };
}

/** A content that is complete already has no range left. */
async function request(client: PlatformClient, { path, signal }: FileToDownload, partial: PartialFile | undefined) {
  const headers = partial && { range: `bytes=${partial.size}-`, 'if-range': `"${partial.sha256}"` };
  const call: (
    endpoint: EndpointContract,
    request: object,
  ) => Promise<{ status: number; headers: ReceivedHeaders; body: unknown }> = client.call;
  try {
    const answer = await call(downloadFileEndpoint, { params: { path }, headers, signal });
    return { ...answer, body: answer.body as Readable };
  } catch (error) {
    if (!partial || !isPlatformError(error, 'range_not_satisfiable')) throw error;
    const etag = { etag: `"${partial.sha256}"`, 'content-length': '0' };
    return { status: 206, headers: etag, body: Readable.from([]) };
  }
}

async function save(
  client: PlatformClient,
  body: Readable,
  target: {
    readonly file: string;
    readonly start: number;
    readonly total: number;
    readonly download: FileToDownload;
    readonly noteProgress: (bytes: number) => void;
  },
): Promise<void> {
  const { file, start, total, download, noteProgress } = target;
  let bytes = start;
  const counted = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length;
      noteProgress(bytes);
      download.onProgress?.({ bytes, total });
      done(null, chunk);
    },
  });
  download.onProgress?.({ bytes, total });
  // Errors of the disk are the caller's; those of the connection are outlasted.
  let fromPlatform: unknown;
  body.once('error', (error) => {
    fromPlatform = error;
  });
  try {
    await pipeline(body, counted, createWriteStream(file, { flags: start > 0 ? 'r+' : 'w', start }));
  } catch (error) {
    download.signal?.throwIfAborted();
    throw fromPlatform === undefined ? error : client.explain(fromPlatform);
  }
  if (bytes < total) throw new PlatformError('the download was cut off', { code: 'interrupted' });
}

function partialName(file: string, sha256: string): string {
  return `${file}.${sha256}.part`;
}

async function findPartial(file: string): Promise<PartialFile | undefined> {
  const folder = dirname(file);
  const name = `${basename(file)}.`;
  const names = await readdir(folder);
  const found = names.find((each) => each.startsWith(name) && /^[\da-f]{64}\.part$/u.test(each.slice(name.length)));
  if (found === undefined) return undefined;
  const { size } = await stat(join(folder, found));
  return { file: join(folder, found), sha256: found.slice(name.length, name.length + 64), size };
}

function textOf(value: ReceivedHeaders[string]): string {
  return typeof value === 'string' ? value : '';
}
