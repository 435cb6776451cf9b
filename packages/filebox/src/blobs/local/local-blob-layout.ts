import { constants } from 'node:fs';
import { lstat, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '@waybill/contracts/errors/coded-error';

const blobIdPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u;

/** The folders that sealed blobs are spread over: by the last two digits of their ids, which are random. */
export const shards: readonly string[] = Array.from({ length: 256 }, (_, shard) => shard.toString(16).padStart(2, '0'));

/** Where a blob store on a local disk keeps things: `incoming/<id>` until sealed, then `stored/<shard>/<id>`. */
export interface LocalBlobLayout {
  incomingDir: string;
  shardDir(shard: string): string;
  incomingPath(blobId: string): string;
  storedPath(blobId: string): string;
}

/** The layout below a folder. */
export function localBlobLayout(dir: string): LocalBlobLayout {
  const incomingDir = join(dir, 'incoming');
  const shardDir = (shard: string): string => join(dir, 'stored', shard);
  return {
    incomingDir,
    shardDir,
    incomingPath: (blobId) => join(incomingDir, checked(blobId)),
    storedPath: (blobId) => join(shardDir(shardOf(checked(blobId))), blobId),
  };
}

/** The shard of a blob. */
export function shardOf(blobId: string): string {
  return blobId.slice(-2);
}

/** Whether a name can be that of a blob. */
export function isBlobId(name: string): boolean {
  return blobIdPattern.test(name);
}

/** Creates missing folders durably, and refuses a symbolic link in place of one. */
export async function prepareLocalBlobLayout(dir: string): Promise<LocalBlobLayout> {
  const layout = localBlobLayout(dir);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  for (const folder of [layout.incomingDir, join(dir, 'stored')]) await makeFolder(folder);
  await Promise.all(shards.map((shard) => makeFolder(layout.shardDir(shard))));
  for (const folder of [join(dir, 'stored'), dir]) await syncFolder(folder);
  return layout;
}

/** The layout below a prepared folder. @throws CodedError `service_unavailable` if it is not prepared */
export async function findLocalBlobLayout(dir: string): Promise<LocalBlobLayout> {
  const layout = localBlobLayout(dir);
  const folders = [layout.incomingDir, ...shards.map((shard) => layout.shardDir(shard))];
  const found = await Promise.all(folders.map((folder) => lstat(folder).catch(() => undefined)));
  if (found.every((stats) => stats?.isDirectory())) return layout;
  const detail = `${dir} is not, or not wholly, a folder in which a platform keeps files`;
  throw new CodedError('service_unavailable', { detail });
}

async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  });
  const stats = await lstat(folder);
  if (!stats.isDirectory()) throw new Error(`${folder} is in the way of the blob store: it is not a folder`);
}

async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  await handle.sync();
}

function checked(blobId: string): string {
  if (!isBlobId(blobId)) throw new Error('not the id of a blob');
  return blobId;
}
