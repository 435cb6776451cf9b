import type { Database } from '@waybill/postgres/database';
import { type MarkedOrder, type PageMarks, readPageMarks } from './page-marks.ts';
import { createRefreshedCache, type RefreshedCache } from './refreshed-cache.ts';

/** Orders of folders that are remembered: some hundred kilobytes each for a million entries. */
const ordersAtMost = 64;

/** Page marks of the folders that are looked into deeply. */
export type PageMarkCache = RefreshedCache<MarkedOrder, PageMarks>;

/** @param options.restFactor an order is not made again for so many times as long as making it took; 10 by default */
export function createPageMarkCache(db: Database, { restFactor }: { restFactor?: number } = {}): PageMarkCache {
  return createRefreshedCache({
    nameOf: ({ folderId, sort, type }) => `${folderId} ${sort} ${type}`,
    read: (order) => readPageMarks(db, order),
    weightOf: () => 1,
    weightAtMost: ordersAtMost,
    restFactor,
  });
}
