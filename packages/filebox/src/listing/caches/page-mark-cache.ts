import type { Database } from '@waybill/postgres/database';
import { type MarkedOrder, type PageMarks, readPageMarks } from './page-marks.ts';
import { createRefreshedCache, type RefreshedCache } from './refreshed-cache.ts';

/** The size of the cache: some hundred kilobytes each for a million entries. */
const ordersAtMost = 64;

/** Page marks of the folders whose pages far inside are requested. */
export type PageMarkCache = RefreshedCache<MarkedOrder, PageMarks>;

/**
 * @param options.restFactor marks are read again only after this multiple of the time that reading them took; default:
 * 10
 */
export function createPageMarkCache(db: Database, { restFactor }: { restFactor?: number } = {}): PageMarkCache {
  return createRefreshedCache({
    nameOf: ({ folderId, sort, type }) => `${folderId} ${sort} ${type}`,
    read: (order) => readPageMarks(db, order),
    weightOf: () => 1,
    weightAtMost: ordersAtMost,
    restFactor,
  });
}
