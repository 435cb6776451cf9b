import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { createKeptPlaces } from '../../page-kit/places/kept-places.ts';
import type { Section } from './section.ts';

const searches = createKeptPlaces('searches of sections', (value) => (typeof value === 'string' ? value : undefined));

/** Keeps the last filters of a page, which are the query of its address, for as long as the tab of the browser. */
export function useKeptSearch(path: string): void {
  // The page that is left sees the address of the next one.
  const search = useLocation({ select: ({ pathname, searchStr }) => (pathname === path ? searchStr : undefined) });
  useEffect(() => {
    if (search !== undefined) searches.set(path, search);
  }, [path, search]);
}

/** The address of a section, with the filters that its page had last in this tab. */
export function addressOf({ path }: Section): string {
  return path + (searches.find(path) ?? '');
}
