import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { s3Error } from './s3-error.ts';

/** For requests without content. */
const shortTimeoutMs = 30_000;
/** For content, at most 128 MiB in a request, and for copies inside S3. For all attempts together. */
const longTimeoutMs = 300_000;

/** A part that S3 holds, of an object that is not complete. */
export interface StoredPart {
  number: number;
  etag: string;
  size: number;
}

/** S3's description of an object. */
export interface StoredObject {
  size: number;
  etag: string;
  metadata: Readonly<Record<string, string>>;
}

/** A multipart upload that has begun. */
export interface OpenParts {
  key: string;
  uploadId: string;
}

/** A bucket. Every call has a timeout and throws `content_missing`, `storage_full` or `service_unavailable`. */
export interface S3Bucket {
  /**
   * Stores an object. Its bytes then survive a crash of any part of the platform. With `lockedUntil`, which needs a
   * bucket with object lock, no user can delete or replace this version before.
   */
  put(key: string, body: Uint8Array, metadata?: Readonly<Record<string, string>>, lockedUntil?: Date): Promise<void>;
  head(key: string): Promise<StoredObject | undefined>;
  /** The bytes from `start` to `end`, exclusive, of an object that has this ETag. */
  read(key: string, range: { start: number; end: number; etag: string; signal?: AbortSignal }): Promise<Buffer>;
  /** A missing object is not an error. */
  delete(key: string): Promise<void>;
  beginParts(key: string, metadata?: Readonly<Record<string, string>>): Promise<OpenParts>;
  putPart(open: OpenParts, number: number, body: Uint8Array, signal: AbortSignal): Promise<StoredPart>;
  /** Creates a part from bytes of another object, without transferring them. */
  copyPart(open: OpenParts, number: number, from: { key: string; start: number; end: number }): Promise<StoredPart>;
  completeParts(open: OpenParts, parts: readonly StoredPart[]): Promise<void>;
  /** A missing upload is not an error. */
  abortParts(open: OpenParts): Promise<void>;
}

/** The bucket of a client. */
export function createS3Bucket(client: S3Client, bucket: string): S3Bucket {
  const head = async (key: string): Promise<StoredObject | undefined> => {
    const found = await missingAsUndefined(
      told(shortTimeoutMs, (options) => client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }), options)),
    );
    return found && { size: found.ContentLength ?? 0, etag: found.ETag ?? '', metadata: found.Metadata ?? {} };
  };
  return {
    head,
    put: async (key, body, metadata = {}, lockedUntil) => {
      const lock = lockedUntil && { ObjectLockMode: 'COMPLIANCE' as const, ObjectLockRetainUntilDate: lockedUntil };
      const command = new PutObjectCommand({ Bucket: bucket, Key: key, Body: body, Metadata: metadata, ...lock });
      await told(longTimeoutMs, (options) => client.send(command, options));
    },
    read: (key, { start, end, etag, signal }) =>
      told(
        longTimeoutMs,
        async (options) => {
          const range = { Range: `bytes=${start}-${end - 1}`, IfMatch: etag };
          const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key, ...range }), options);
          const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array();
          if (bytes.byteLength !== end - start) throw new Error(`the response for ${key} ended early`);
          return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        },
        signal,
      ),
    delete: async (key) => {
      const command = new DeleteObjectCommand({ Bucket: bucket, Key: key });
      await missingAsUndefined(told(shortTimeoutMs, (options) => client.send(command, options)));
    },
    ...createPartCalls(client, bucket, head),
  };
}

function createPartCalls(
  client: S3Client,
  bucket: string,
  head: S3Bucket['head'],
): Pick<S3Bucket, 'beginParts' | 'putPart' | 'copyPart' | 'completeParts' | 'abortParts'> {
  const named = ({ key, uploadId }: OpenParts) => ({ Bucket: bucket, Key: key, UploadId: uploadId });
  return {
    beginParts: async (key, metadata = {}) => {
      const command = new CreateMultipartUploadCommand({ Bucket: bucket, Key: key, Metadata: metadata });
      const { UploadId } = await told(shortTimeoutMs, (options) => client.send(command, options));
      return { key, uploadId: given(UploadId) };
    },
    putPart: async (open, number, body, signal) => {
      const command = new UploadPartCommand({ ...named(open), PartNumber: number, Body: body });
      const { ETag } = await told(longTimeoutMs, (options) => client.send(command, options), signal);
      return { number, etag: given(ETag), size: body.byteLength };
    },
    copyPart: async (open, number, { key, start, end }) => {
      const source = { CopySource: `${bucket}/${key}`, CopySourceRange: `bytes=${start}-${end - 1}` };
      const command = new UploadPartCopyCommand({ ...named(open), PartNumber: number, ...source });
      const { CopyPartResult } = await told(longTimeoutMs, (options) => client.send(command, options));
      return { number, etag: given(CopyPartResult?.ETag), size: end - start };
    },
    completeParts: async (open, parts) => {
      const Parts = parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag }));
      const command = new CompleteMultipartUploadCommand({ ...named(open), MultipartUpload: { Parts } });
      try {
        await told(longTimeoutMs, (options) => client.send(command, options));
      } catch (error) {
        // If a response is lost, the next attempt finds an upload that is already complete, and therefore missing.
        const size = parts.reduce((sum, part) => sum + part.size, 0);
        if (!isCodedError(error, 'content_missing') || (await head(open.key))?.size !== size) throw error;
      }
    },
    abortParts: async (open) => {
      const command = new AbortMultipartUploadCommand(named(open));
      await missingAsUndefined(told(shortTimeoutMs, (options) => client.send(command, options)));
    },
  };
}

/** Runs requests with a timeout, and translates their failures. */
export async function told<T>(
  timeoutMs: number,
  request: (options: { abortSignal: AbortSignal }) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    return await request({ abortSignal: signal ? AbortSignal.any([signal, timeout]) : timeout });
  } catch (error) {
    throw s3Error(error, signal);
  }
}

async function missingAsUndefined<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isCodedError(error, 'content_missing')) return undefined;
    throw error;
  }
}

function given(value: string | undefined): string {
  if (value === undefined) throw new CodedError('service_unavailable', { detail: 'S3 left out a required field' });
  return value;
}
