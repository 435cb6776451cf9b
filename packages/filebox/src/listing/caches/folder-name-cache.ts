import type { Database } from '@waybill/postgres/database';
import { bytesOfNames, type FolderNames } from './folder-names.ts';
import { readFolderNames } from './read-folder-names.ts';
import { createRefreshedCache, type RefreshedCache } from './refreshed-cache.ts';

/** Names in memory, of the folders whose entries are counted by patterns. Keys are ids of folders. */
export type FolderNameCache = RefreshedCache<string, FolderNames>;

/** How much is kept. */
export interface FolderNameOptions {
  /** Memory for the names of all folders; 0 keeps none. Default: 64 MiB. */
  bytesAtMost?: number | undefined;
  /** Names of folders with fewer entries are not kept. Default: 20 000. */
  entriesAtLeast?: number;
  /** Names per read, which takes a few milliseconds on both sides. Default: 20 000. */
  namesAtATime?: number;
  /** Names are read again only after this multiple of the time that reading them took. Default: 10. */
  restFactor?: number;
}

/** The approximate memory for a folder whose names are not kept. */
const bytesOfNothing = 200;

/** An empty cache. */
export function createFolderNameCache(db: Database, options: FolderNameOptions = {}): FolderNameCache {
  const { bytesAtMost = 64 * 1024 * 1024, entriesAtLeast = 20_000, namesAtATime = 20_000 } = options;
  const bounds = { entriesAtLeast, bytesAtMost, namesAtATime };
  return createRefreshedCache({
    nameOf: (folderId) => folderId,
    read: async (folderId) => (bytesAtMost === 0 ? undefined : readFolderNames(db, folderId, bounds)),
    weightOf: (names) => bytesOfNothing + (names === undefined ? 0 : bytesOfNames(names)),
    weightAtMost: bytesAtMost,
    restFactor: options.restFactor,
  });
}
