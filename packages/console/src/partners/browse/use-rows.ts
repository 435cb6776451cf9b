import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useState } from 'react';
import { usePrintedRows } from '../../page-kit/components/printed-rows.tsx';
import type { ListingOrder } from '../api/elements.ts';
import { type Listing, useListing } from './use-listing.ts';

/** The height of a row in pixels; style.css has the same. */
export const rowHeight = 44;

/** The rows in sight, and what moves from one to another. */
export interface Rows {
  readonly listing: Listing;
  readonly shown: readonly { readonly index: number; readonly start: number }[];
  /** The height of all rows in pixels. */
  readonly height: number;
  /** The row that the Tab key leads to. */
  readonly active: number;
  activate(index: number): void;
  /** Scrolls to a row, or to the nearest that exists, and focuses it. */
  moveTo(index: number): void;
}

/** Reads and shows the rows of a folder that are in sight of `scroller`, and a few more. */
export function useRows(path: string, order: ListingOrder, scroller: RefObject<HTMLDivElement | null>): Rows {
  const [wanted, setWanted] = useState({ first: 0, last: 0 });
  const [active, activate] = useState(0);
  const listing = useListing(path, order, wanted);
  const total = listing.total ?? 0;
  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const inSight = virtualizer.getVirtualItems();
  const [first, last] = [inSight[0]?.index ?? 0, inSight.at(-1)?.index ?? 0];
  useEffect(() => setWanted({ first, last }), [first, last]);
  const shown = usePrintedRows(total, (index) => listing.elementAt(index) !== undefined) ?? inSight;
  const moveTo = (index: number): void => {
    const target = Math.max(0, Math.min(index, total - 1));
    activate(target);
    virtualizer.scrollToIndex(target);
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-row="${target}"]`)?.focus());
  };
  return { listing, shown, height: virtualizer.getTotalSize(), active, activate, moveTo };
}
