import { createHash, type Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { GetObjectCommand, type GetObjectCommandOutput } from '@aws-sdk/client-s3';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { comparableMd5, sha256Field } from './object-checksum.ts';
import { callS3, type S3Calls, s3Failure, s3Status, s3StatusOf } from './s3-calls.ts';

/** The part of an object that is read. */
interface ReadOptions {
  readonly offset: number;
  readonly signal: AbortSignal;
}

/**
 * The bytes of an object from an offset. Its checksum is compared if the whole object is read: the SHA-256 that `s3-push` has
 * noted, and the MD5 that the ETag is on most servers.
 * @throws CodedError `connection_failed`, `remote_refused`
 */
export async function* readObject(calls: S3Calls, key: string, options: ReadOptions): AsyncGenerator<Buffer> {
  const { offset, signal } = options;
  const found = await openObject(calls, key, options);
  if (!found) return;
  const { Body: body } = found;
  if (!(body instanceof Readable)) throw new Error('the SDK gave no stream');
  const checksums = offset === 0 ? checksumsOf(found) : [];
  const onAbort = (): void => void body.destroy();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      for (const { hash } of checksums) hash.update(chunk);
      yield chunk;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw s3Failure(calls, `read ${key}`, error);
  } finally {
    signal.removeEventListener('abort', onAbort);
    body.destroy();
  }
  signal.throwIfAborted();
  for (const { name, hash, expected } of checksums) {
    if (hash.digest('hex') === expected) continue;
    throw new CodedError('connection_failed', { detail: `${calls.name}: the ${name} of ${key} is another one` });
  }
}

/** `undefined` if there is nothing at the offset: it is the end. */
async function openObject(
  calls: S3Calls,
  key: string,
  { offset, signal }: ReadOptions,
): Promise<GetObjectCommandOutput | undefined> {
  const range = offset === 0 ? {} : { Range: `bytes=${offset}-` };
  const command = new GetObjectCommand({ Bucket: calls.bucket, Key: key, ...range });
  let found: GetObjectCommandOutput;
  try {
    found = await callS3(calls, `read ${key}`, { signal, start: (options) => calls.client.send(command, options) });
  } catch (error) {
    if (offset > 0 && s3StatusOf(error) === s3Status.beyondEnd) return undefined;
    throw error;
  }
  if (offset > 0 && !found.ContentRange?.startsWith(`bytes ${offset}-`)) {
    throw new CodedError('connection_failed', { detail: `${calls.name}: the server cannot resume ${key}` });
  }
  return found;
}

interface Expected {
  readonly name: string;
  readonly hash: Hash;
  readonly expected: string;
}

function checksumsOf(found: GetObjectCommandOutput): Expected[] {
  const sha256 = found.Metadata?.[sha256Field];
  const md5 = comparableMd5(found);
  return [
    ...(sha256 !== undefined && /^[\da-f]{64}$/u.test(sha256)
      ? [{ name: 'SHA-256', hash: createHash('sha256'), expected: sha256 }]
      : []),
    ...(md5 === undefined || md5.includes('-') ? [] : [{ name: 'MD5', hash: createHash('md5'), expected: md5 }]),
  ];
}
