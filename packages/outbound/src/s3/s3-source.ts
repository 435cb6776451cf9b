import {
  CopyObjectCommand,
  DeleteObjectCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  ListObjectsV2Command,
} from '@aws-sdk/client-s3';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { RemoteEntry, RemoteFile, RemoteSource } from '../peer/remote-session.ts';
import { readObject } from './read-object.ts';
import { callS3, type S3Calls, s3Status, s3StatusOf } from './s3-calls.ts';

/** Pages of 1 000 objects: a server that never ends its list is not followed for ever. */
const pagesAtMost = 10_000;

/** The objects of a bucket as files. A folder is the part of the keys before their last slash. */
export function createS3Source(calls: S3Calls): RemoteSource {
  const { client, bucket: Bucket } = calls;
  const remove = async (path: string, signal: AbortSignal): Promise<void> => {
    const command = new DeleteObjectCommand({ Bucket, Key: keyOf(path) });
    await callS3(calls, `delete ${path}`, { signal, start: (options) => client.send(command, options) });
  };
  return {
    remove,
    stat: async (path, signal) => {
      const head = await headObject(calls, keyOf(path), signal);
      return head && fileOf(head.ContentLength, head);
    },
    list: (path, isWanted, signal) => listFolder(calls, folderKey(path), { isWanted, signal }),
    read: (path, offset, signal) => readObject(calls, keyOf(path), { offset, signal }),
    replace: async (from, to, signal) => {
      const source = [Bucket, ...keyOf(from).split('/')].map(encodeURIComponent).join('/');
      const command = new CopyObjectCommand({ Bucket, Key: keyOf(to), CopySource: source });
      await callS3(calls, `copy ${from} to ${to}`, { signal, start: (options) => client.send(command, options) });
      await remove(from, signal);
    },
  };
}

/** The head of an object; `undefined` if there is none. */
export async function headObject(
  calls: S3Calls,
  key: string,
  signal: AbortSignal,
): Promise<HeadObjectCommandOutput | undefined> {
  const command = new HeadObjectCommand({ Bucket: calls.bucket, Key: key });
  try {
    return await callS3(calls, `look at ${key}`, { signal, start: (options) => calls.client.send(command, options) });
  } catch (error) {
    if (s3StatusOf(error) === s3Status.missing) return undefined;
    throw error;
  }
}

/** The key of a path: keys begin without a slash. */
export function keyOf(path: string): string {
  return path.replace(/^\/+/u, '');
}

function folderKey(path: string): string {
  const key = path === '.' ? '' : keyOf(path);
  return key === '' || key.endsWith('/') ? key : `${key}/`;
}

async function listFolder(
  calls: S3Calls,
  prefix: string,
  { isWanted, signal }: { isWanted: (name: string) => boolean; signal: AbortSignal },
): Promise<RemoteEntry[]> {
  const place = { Bucket: calls.bucket, Prefix: prefix, Delimiter: '/', EncodingType: 'url' as const };
  const entries: RemoteEntry[] = [];
  let token: string | undefined;
  for (let pages = 0; pages < pagesAtMost; pages += 1) {
    const command = new ListObjectsV2Command({ ...place, ...(token !== undefined && { ContinuationToken: token }) });
    const start = (options: { abortSignal: AbortSignal }) => calls.client.send(command, options);
    const page = await callS3(calls, `list ${prefix}`, { signal, start });
    for (const object of page.Contents ?? []) {
      const key = decodedKey(object.Key ?? '', page.EncodingType === 'url');
      const name = key.slice(prefix.length);
      if (key.startsWith(prefix) && name !== '' && !name.includes('/') && isWanted(name)) {
        // The ETag of a list may be another one than that of the object.
        entries.push({ name, ...fileOf(object.Size, { LastModified: object.LastModified }) });
      }
    }
    token = page.NextContinuationToken;
    if (page.IsTruncated !== true || token === undefined) return entries;
  }
  throw new CodedError('remote_refused', { detail: `${calls.name}: the list of ${prefix} has no end` });
}

function decodedKey(key: string, isEncoded: boolean): string {
  if (!isEncoded) return key;
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    // It cannot be a name here: the caller skips it.
    return `${key}\0`;
  }
}

function fileOf(
  size: number | undefined,
  { ETag, LastModified }: { ETag?: string | undefined; LastModified?: Date | undefined },
): RemoteFile {
  return {
    size: size ?? 0,
    kind: 'file',
    modifiedAt: Math.floor((LastModified?.getTime() ?? 0) / 1_000),
    version: ETag,
  };
}
