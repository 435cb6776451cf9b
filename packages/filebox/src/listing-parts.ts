import type { Database } from '@waybill/postgres/database';
import type { FolderIds } from './folder-ids.ts';
import type { PageMarkCache } from './page-mark-cache.ts';
import type { TotalCache } from './total-cache.ts';

/** What listing and counting work with. */
export interface ListingParts {
  db: Database;
  folderIds: FolderIds;
  pageMarks: PageMarkCache;
  totals: TotalCache;
}
