import type { Queryable } from '@waybill/postgres/database';
import type { BlobStores } from '../blobs/blob-store.ts';
import type { StorageSpace, VfsSpace } from '../model/storage.ts';
import { readUsage, type VfsUsage } from './read-usage.ts';

/** The room in a VFS: the storage may have less than the limits leave. Reservations of uploads are not free. */
export async function measureSpace(
  { db, stores }: { db: Queryable; stores: BlobStores },
  vfsId: string,
): Promise<VfsSpace> {
  const [storage, usage] = await Promise.all([
    stores.ofVfs(vfsId).then((store) => store.space?.()),
    readUsage(db, vfsId),
  ]);
  const bytes = bytesOf(storage, usage);
  const limited = usage ? [roomIn(usage.max_files, usage.files), roomIn(usage.max_folders, usage.folders)] : [];
  const known = limited.filter((room) => room !== undefined);
  return { ...(bytes && { bytes }), ...(known.length > 0 && { entries: known.reduce(sumOf) }) };
}

interface Room {
  total: number;
  free: number;
}

function bytesOf(storage: StorageSpace | undefined, usage: VfsUsage | undefined): Room | undefined {
  const limited = usage && roomIn(usage.max_bytes, usage.bytes);
  if (!storage) return limited;
  const { totalBytes, freeBytes } = storage;
  if (!limited) return { total: totalBytes, free: freeBytes };
  return { total: limited.total, free: Math.min(limited.free, freeBytes) };
}

/** Only for limited resources. The usage may exceed a limit that was set later. */
function roomIn(most: string | null, used: string): Room | undefined {
  if (most === null) return undefined;
  const total = Number(most);
  return { total, free: Math.max(0, total - Number(used)) };
}

function sumOf(one: Room, other: Room): Room {
  return { total: one.total + other.total, free: one.free + other.free };
}
