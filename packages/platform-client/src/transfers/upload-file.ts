import { createHash, randomUUID } from 'node:crypto';
import { constants, createReadStream, type Stats } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { pipeline, type Readable, Transform } from 'node:stream';
import { beginResumableUploadEndpoint } from '@waybill/contracts/endpoints/files/resumable/begin-resumable-upload';
import { continueResumableUploadEndpoint } from '@waybill/contracts/endpoints/files/resumable/continue-resumable-upload';
import { inspectResumableUploadEndpoint } from '@waybill/contracts/endpoints/files/resumable/inspect-resumable-upload';
import type { PlatformClient } from '../create-client.ts';
import { PlatformError } from '../platform-error.ts';
import type { ReceivedHeaders } from '../requests/endpoint-call.ts';
import { outlast } from './outlast.ts';
import { sha256Of, storingTimeoutMs, type TransferOptions } from './transfer-options.ts';

/** A file to upload. */
export interface FileToUpload extends TransferOptions {
  /** The local file. */
  readonly file: string;
  /** Its virtual path on the platform. */
  readonly path: string;
  readonly mediaType?: string;
  /** Metadata of the file, Generic or of the system class. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** `false`: only if there is no file of that name. */
  readonly overwrite?: boolean;
}

/** A file as it was stored. */
export interface StoredFile {
  readonly fileset: string;
  /** In hexadecimal; it is that of the local file. */
  readonly sha256: string;
  readonly size: number;
  /** Bytes that an earlier run had sent already. */
  readonly resumedAt: number;
}

/**
 * Uploads a file, and verifies its SHA-256. Interruptions are outlasted; if the process ends, the next call with the same file,
 * path and metadata resumes the upload as long as the platform keeps it, which is a day. Throws `PlatformError`; what the file
 * cannot be read with, at once.
 */
export async function uploadFile(client: PlatformClient, upload: FileToUpload): Promise<StoredFile> {
  const { size, mtimeMs } = await statFile(upload.file);
  const digest = sha256Of(upload.file, upload.signal);
  // It is awaited below, after what may throw before.
  digest.catch(() => undefined);
  const identity = [
    await realpath(upload.file),
    mtimeMs,
    size,
    upload.path,
    upload.metadata,
    upload.mediaType,
    upload.overwrite,
  ];
  const begun =
    size === 0 ? await begin(client, upload, size, randomUUID()) : await beginUnstored(client, upload, size, identity);
  const headers = begun.offset === size ? begun.headers : await sendContent(client, upload, size, begun);
  const sha256 = await digest;
  if (headers['x-file-sha256'] !== sha256) {
    throw new PlatformError(`${upload.path} was stored, but it differs from ${upload.file}`, {
      code: 'content_differs',
    });
  }
  return { fileset: textOf(headers['x-fileset']), sha256, size, resumedAt: size === 0 ? 0 : begun.offset };
}

/**
 * Begins an upload, or takes up one that was interrupted. An upload that has been stored is not taken up: its file may have been
 * replaced or deleted since. The one after it has a key that follows from it, so that the next run finds that one.
 */
async function beginUnstored(
  client: PlatformClient,
  upload: FileToUpload,
  size: number,
  identity: readonly unknown[],
): Promise<BegunUpload> {
  const key = keyOf(identity);
  const begun = await begin(client, upload, size, key);
  if (begun.offset !== size) return begun;
  return await beginUnstored(client, upload, size, [key, begun.headers['x-fileset']]);
}

function keyOf(identity: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex');
}

async function statFile(file: string): Promise<Stats> {
  const stats = await stat(file).catch((cause: unknown) => refuseFile(file, cause));
  if (!stats.isFile()) {
    const kind = stats.isDirectory() ? 'a folder' : 'not a regular file';
    throw new PlatformError(`${file} is ${kind}`, { code: 'file_unusable' });
  }
  await access(file, constants.R_OK).catch((cause: unknown) => refuseFile(file, cause));
  return stats;
}

function refuseFile(file: string, cause: unknown): never {
  const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
  throw new PlatformError(isMissing ? `There is no file ${file}` : `${file} cannot be read`, {
    code: 'file_unusable',
    cause,
  });
}

interface BegunUpload {
  readonly id: string;
  readonly offset: number;
  readonly headers: ReceivedHeaders;
}

const protocol = { 'tus-resumable': '1.0.0' } as const;

async function begin(client: PlatformClient, upload: FileToUpload, size: number, key: string): Promise<BegunUpload> {
  const described = {
    ...upload.metadata,
    path: upload.path,
    ...(upload.mediaType !== undefined && { filetype: upload.mediaType }),
    ...(upload.overwrite === false && { overwrite: 'false' }),
  };
  const metadata = Object.entries(described)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',');
  const call = () =>
    client.call(beginResumableUploadEndpoint, {
      headers: { ...protocol, 'upload-length': String(size), 'upload-metadata': metadata, 'idempotency-key': key },
      signal: upload.signal,
    });
  const { headers } = await outlast(call, () => 0, upload);
  const id = headers.location.split('/').at(-1) ?? '';
  return { id, offset: Number(headers['upload-offset']), headers };
}

/** Sends what is missing; after an interruption, from where the platform has it. Returns the headers of the stored file. */
async function sendContent(
  client: PlatformClient,
  upload: FileToUpload,
  size: number,
  { id, offset }: BegunUpload,
): Promise<ReceivedHeaders> {
  const { signal } = upload;
  let [acknowledged, isCertain] = [offset, true];
  const attempt = async (): Promise<ReceivedHeaders> => {
    if (!isCertain) {
      const { headers } = await client.call(inspectResumableUploadEndpoint, {
        params: { upload: id },
        headers: protocol,
        timeoutMs: storingTimeoutMs,
        signal,
      });
      acknowledged = Number(headers['upload-offset']);
      if (acknowledged === size) return headers;
    }
    isCertain = false;
    const { content, failure } = contentFrom(upload, acknowledged, size);
    try {
      const { headers } = await client.call(continueResumableUploadEndpoint, {
        params: { upload: id },
        headers: { ...protocol, 'upload-offset': String(acknowledged) },
        body: content,
        timeoutMs: storingTimeoutMs,
        signal,
      });
      return headers;
    } catch (error) {
      throw failure() ?? error;
    }
  };
  return outlast(attempt, () => acknowledged, upload);
}

/** What is to be sent of a file. `failure`: what it could not be read with, which no repetition mends. */
function contentFrom(
  { file, onProgress }: FileToUpload,
  offset: number,
  size: number,
): { readonly content: Readable; readonly failure: () => unknown } {
  let bytes = offset;
  onProgress?.({ bytes, total: size });
  const counted = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length;
      onProgress?.({ bytes, total: size });
      done(null, chunk);
    },
    flush: (done) => done(bytes === size ? null : shrunk),
  });
  // A file that has grown since is cut at the announced size.
  const source = createReadStream(file, { start: offset, end: size - 1 });
  const shrunk = new PlatformError(`${file} has become shorter while it was sent`, { code: 'content_differs' });
  let failure: unknown;
  // When the connection breaks, `pipeline` destroys the other stream first, and this one with the same error.
  source.once('error', (error) => {
    if (!counted.destroyed) failure = error;
  });
  pipeline(source, counted, () => undefined);
  return { content: counted, failure: () => failure };
}

function textOf(value: ReceivedHeaders[string]): string {
  return typeof value === 'string' ? value : '';
}
