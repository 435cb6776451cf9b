import type { Database } from '@waybill/postgres/database';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import { createFolderIds, type FolderIds } from './folder-ids.ts';
import { createFolderNameCache, type FolderNameCache } from './folder-name-cache.ts';
import { createPageMarkCache, type PageMarkCache } from './page-mark-cache.ts';
import { type PatternCounts, reportPatternCounts } from './pattern-counts.ts';
import { createTotalCache, type TotalCache } from './total-cache.ts';

/** What listing and counting need. */
export interface ListingParts {
  db: Database;
  folderIds: FolderIds;
  pageMarks: PageMarkCache;
  folderNameCache: FolderNameCache;
  totals: TotalCache;
  counts: PatternCounts;
}

/** Creates the parts with empty caches. */
export function createListingParts({
  db,
  folderNameCacheBytes,
  metrics,
}: {
  db: Database;
  folderNameCacheBytes: number | undefined;
  metrics: Metrics;
}): ListingParts {
  const folderNameCache = createFolderNameCache(db, { bytesAtMost: folderNameCacheBytes });
  return {
    db,
    folderIds: createFolderIds(),
    pageMarks: createPageMarkCache(db),
    folderNameCache,
    totals: createTotalCache(),
    counts: reportPatternCounts(metrics, folderNameCache),
  };
}

/** Resolves when no background read is running. */
export async function settleListing({ pageMarks, folderNameCache }: ListingParts): Promise<void> {
  await Promise.all([pageMarks.settle(), folderNameCache.settle()]);
}
