import type { Database } from '@waybill/postgres/database';
import { bytesOfNames, type FolderNames } from './folder-names.ts';
import { readFolderNames } from './read-folder-names.ts';
import { createRefreshedCache, type RefreshedCache } from './refreshed-cache.ts';

/** Names in memory, of the folders whose entries are counted by patterns. Keys are ids of folders. */
export type FolderNameCache = RefreshedCache<string, FolderNames>;

/** How much is kept. */
export interface FolderNameOptions {
  /** Memory for the names of all folders; none are kept when it is 0. 64 MiB by default. */
  bytesAtMost?: number | undefined;
  /** Names of folders with fewer entries are not kept; 20 000 by default. */
  entriesAtLeast?: number;
  /** Names that are read at a time, which takes both sides a few milliseconds; 20 000 by default. */
  namesAtATime?: number;
  /** Names are not read again for so many times as long as reading them took; 10 by default. */
  restFactor?: number;
}

/** What a folder takes whose names are not kept, about. */
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
