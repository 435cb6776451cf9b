import { createHash } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { comparableMd5, md5TagOf, sha256Field } from './object-checksum.ts';
import { partBytesFor, partsOf } from './object-parts.ts';
import { callS3, type S3Calls, s3Status, s3StatusOf } from './s3-calls.ts';
import { headObject, keyOf } from './s3-source.ts';

/** A file that becomes an object. */
export interface PushedObject {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  readonly mediaType: string;
  content(): AsyncIterable<Buffer>;
  /** Whether an object of the same key is replaced. */
  readonly ifExists: 'replace' | 'fail';
  /** The same for every repetition of the same transfer: an object that a repetition finds is then its own. */
  readonly transfer: string;
}

/** The metadata that identifies the transfer. */
const transferField = 'waybill-transfer';
const abortMs = 15_000;

/**
 * Stores an object; returns its ETag. It appears when it is complete. The server compares the MD5 of each request, and the ETag
 * is compared afterwards where it is made of MD5s.
 * @throws CodedError `already_exists`, `connection_failed`, `remote_refused`
 */
export async function pushObject(calls: S3Calls, object: PushedObject, signal: AbortSignal): Promise<string> {
  const key = keyOf(object.path);
  if (object.ifExists === 'fail') {
    const found = await ownObject(calls, object, signal);
    if (found.isOwn) return found.etag;
    if (found.exists) alreadyThere(calls, object);
  }
  const isMultipart = object.size > partBytesFor(object.size);
  const digests: Buffer[] = [];
  try {
    await (isMultipart ? putParts(calls, object, { digests, signal }) : putWhole(calls, object, { digests, signal }));
  } catch (error) {
    const isUnclear = [s3Status.failedCondition, s3Status.missing, s3Status.conflict].some(
      (status) => status === s3StatusOf(error),
    );
    if (!isUnclear) throw error;
    // The answer to the first request may have been lost: then the object is there.
    const found = await ownObject(calls, object, signal);
    if (found.isOwn) return found.etag;
    if (s3StatusOf(error) === s3Status.failedCondition) alreadyThere(calls, object);
    throw error;
  }
  const head = await headObject(calls, key, signal);
  const expected = md5TagOf(digests, { isMultipart });
  const tag = head && comparableMd5(head);
  if (head?.ContentLength !== object.size || (tag !== undefined && tag !== expected)) {
    const detail = `${calls.name}: the server has another content at ${object.path} than was sent`;
    throw new CodedError('connection_failed', { detail });
  }
  return head.ETag ?? '';
}

interface Sending {
  /** The MD5 of each part, in order. */
  readonly digests: Buffer[];
  readonly signal: AbortSignal;
}

async function putWhole(calls: S3Calls, object: PushedObject, { digests, signal }: Sending): Promise<void> {
  const parts = partsOf(object.content(), Math.max(object.size, 1));
  const first = await parts.next();
  const body = first.done === true ? Buffer.alloc(0) : first.value;
  await parts.return(undefined);
  const md5 = createHash('md5').update(body).digest();
  digests.push(md5);
  const put = { ...describe(calls, object), Body: body, ContentMD5: md5.toString('base64') };
  await conditionally(object, (condition) => {
    const command = new PutObjectCommand({ ...put, ...condition });
    const start = (options: { abortSignal: AbortSignal }) => calls.client.send(command, options);
    return callS3(calls, `put ${object.path}`, { signal, start });
  });
}

async function putParts(calls: S3Calls, object: PushedObject, { digests, signal }: Sending): Promise<void> {
  const { client, bucket: Bucket } = calls;
  const begin = new CreateMultipartUploadCommand(describe(calls, object));
  const { UploadId } = await callS3(calls, `begin ${object.path}`, {
    signal,
    start: (options) => client.send(begin, options),
  });
  const upload = { Bucket, Key: keyOf(object.path), UploadId };
  const Parts: { PartNumber: number; ETag: string | undefined }[] = [];
  try {
    for await (const part of partsOf(object.content(), partBytesFor(object.size))) {
      const PartNumber = Parts.length + 1;
      const md5 = createHash('md5').update(part).digest();
      const sent = { ...upload, PartNumber, Body: part, ContentMD5: md5.toString('base64') };
      const command = new UploadPartCommand(sent);
      const start = (options: { abortSignal: AbortSignal }) => client.send(command, options);
      const { ETag } = await callS3(calls, `put part ${PartNumber} of ${object.path}`, { signal, start });
      digests.push(md5);
      Parts.push({ PartNumber, ETag });
    }
    await conditionally(object, (condition) => {
      const command = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts }, ...condition });
      const start = (options: { abortSignal: AbortSignal }) => client.send(command, options);
      return callS3(calls, `complete ${object.path}`, { signal, start });
    });
  } catch (error) {
    // Parts that stay would be paid for; the first error is the one that counts.
    const options = { abortSignal: AbortSignal.timeout(abortMs) };
    await client.send(new AbortMultipartUploadCommand(upload), options).catch(() => {});
    throw error;
  }
}

/** Sends a request with the condition that there is no object yet; servers that know no conditions get it without one. */
async function conditionally<T>(
  { ifExists }: PushedObject,
  send: (condition: { IfNoneMatch?: string }) => Promise<T>,
): Promise<T> {
  if (ifExists === 'replace') return await send({});
  try {
    return await send({ IfNoneMatch: '*' });
  } catch (error) {
    if (!isCodedError(error) || s3StatusOf(error) !== s3Status.unsupported) throw error;
    return await send({});
  }
}

function describe({ bucket: Bucket }: S3Calls, { path, mediaType, sha256, transfer }: PushedObject) {
  const Metadata = { [sha256Field]: sha256, [transferField]: transfer };
  return { Bucket, Key: keyOf(path), ContentType: mediaType, Metadata };
}

async function ownObject(
  calls: S3Calls,
  { path, size, transfer }: PushedObject,
  signal: AbortSignal,
): Promise<{ exists: boolean; isOwn: boolean; etag: string }> {
  const head = await headObject(calls, keyOf(path), signal);
  const isOwn = head?.Metadata?.[transferField] === transfer && head.ContentLength === size;
  return { exists: head !== undefined, isOwn, etag: head?.ETag ?? '' };
}

function alreadyThere({ name }: S3Calls, { path }: PushedObject): never {
  throw new CodedError('already_exists', { detail: `${name}: the server already has ${path}` });
}
