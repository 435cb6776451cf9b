import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';

/** How far a list has been read. */
export interface ReadProgress {
  /** The cursor of each page that is known. */
  readonly cursors: readonly (string | undefined)[];
  /** Rows of the last page, once it is known to be the last. */
  readonly tail: number | undefined;
}

/** A link, button or box of a row, by their order. */
export interface RowControl {
  readonly row: number;
  readonly control: number;
}

/** Where a user is in a list. */
export interface KeptPlace {
  progress: ReadProgress;
  /** How far it is scrolled, in pixels. */
  offset: number;
  /** What had the focus last. */
  focus: RowControl | undefined;
}

/** Lists whose places are kept: those that were opened last. */
const keptAtMost = 100;

const places = new Map<string, KeptPlace>();

/**
 * Where a user is in a list, which is kept for as long as the page of the browser: Back and Forward lead to the entry of the history
 * that had it, while a link leads to the beginning of the list.
 */
export function useKeptPlace(queryKey: readonly unknown[]): KeptPlace {
  const entry = useLocation({ select: ({ state }) => state.__TSR_key ?? '' });
  const [place] = useState<KeptPlace>(() => {
    const key = JSON.stringify([entry, queryKey]);
    const kept = places.get(key) ?? {
      progress: { cursors: [undefined], tail: undefined },
      offset: 0,
      focus: undefined,
    };
    places.delete(key);
    places.set(key, kept);
    const [oldest] = places.keys();
    if (places.size > keptAtMost && oldest !== undefined) places.delete(oldest);
    return kept;
  });
  return place;
}
