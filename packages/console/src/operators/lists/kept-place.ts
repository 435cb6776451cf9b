import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { z } from 'zod';
import { createKeptPlaces } from '../../page-kit/places/kept-places.ts';

/** How far a list has been read. */
export interface ReadProgress {
  /** The cursor of each page that is known. */
  readonly cursors: readonly (string | undefined)[];
  /** Rows of the last page, once it is known to be the last. */
  readonly tail: number | undefined;
}

/** Nothing has been read. */
export const beginning: ReadProgress = { cursors: [undefined], tail: undefined };

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

const placeSchema = z.object({
  progress: z.object({
    // JSON has null for the cursor of the first page.
    cursors: z.array(z.string().nullable()).nonempty(),
    tail: z.number().optional(),
  }),
  offset: z.number(),
  focus: z.object({ row: z.number(), control: z.number() }).optional(),
});

const places = createKeptPlaces('places of lists', parsePlace);

function parsePlace(value: unknown): KeptPlace | undefined {
  const { success, data } = placeSchema.safeParse(value);
  if (!success) return undefined;
  const { progress, offset, focus } = data;
  const cursors = progress.cursors.map((cursor) => cursor ?? undefined);
  return { progress: { cursors, tail: progress.tail }, offset, focus };
}

/**
 * Where a user is in a list, which is kept for as long as the tab of the browser: Back, Forward and a reload lead to the entry of the
 * history that had it, while a link leads to the beginning of the list.
 */
export function useKeptPlace(queryKey: readonly unknown[]): KeptPlace {
  const entry = useLocation({ select: ({ state }) => state.__TSR_key ?? '' });
  const [place] = useState<KeptPlace>(() => {
    const key = JSON.stringify([entry, queryKey]);
    const kept = places.find(key) ?? { progress: beginning, offset: 0, focus: undefined };
    places.set(key, kept);
    return kept;
  });
  return place;
}
