import type { Database } from '@waybill/postgres/database';
import type { Metrics } from '@waybill/service-kit/metrics';
import { createFolderIds, type FolderIds } from './folder-ids.ts';
import { createKeptNameCache, type KeptNameCache } from './kept-name-cache.ts';
import { createPageMarkCache, type PageMarkCache } from './page-mark-cache.ts';
import { type PatternCounts, reportPatternCounts } from './pattern-counts.ts';
import { createTotalCache, type TotalCache } from './total-cache.ts';

/** What listing and counting work with. */
export interface ListingParts {
  db: Database;
  folderIds: FolderIds;
  pageMarks: PageMarkCache;
  keptNames: KeptNameCache;
  totals: TotalCache;
  counts: PatternCounts;
}

/** Parts that know nothing yet. */
export function createListingParts({
  db,
  keptNamesBytes,
  metrics,
}: {
  db: Database;
  keptNamesBytes: number | undefined;
  metrics: Metrics;
}): ListingParts {
  const keptNames = createKeptNameCache(db, { bytesAtMost: keptNamesBytes });
  return {
    db,
    folderIds: createFolderIds(),
    pageMarks: createPageMarkCache(db),
    keptNames,
    totals: createTotalCache(),
    counts: reportPatternCounts(metrics, keptNames),
  };
}

/** Answers when nothing is being found out in the background. */
export async function settleListing({ pageMarks, keptNames }: ListingParts): Promise<void> {
  await Promise.all([pageMarks.settle(), keptNames.settle()]);
}
