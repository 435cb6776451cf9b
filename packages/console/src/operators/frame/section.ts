import { createContext } from 'react';
import type { ConsolePage } from './page.ts';

/** The section that a page belongs to: the way back. */
export interface Section {
  readonly path: string;
  readonly label: string;
}

/** The section of the page that is shown. */
export const SectionContext = createContext<Section | undefined>(undefined);

/** The section of a page: the one that it names, or that which its path begins with. A page of the navigation is in none. */
export function sectionOf({ section, path, label }: ConsolePage, pages: readonly ConsolePage[]): Section | undefined {
  if (label !== undefined) return undefined;
  const wanted = section ?? path.replace(/(?<=\/[^/]+)\/.*$/u, '');
  const found = pages.find((page) => page.path === wanted && page.path !== path);
  return found?.label === undefined ? undefined : { path: wanted, label: found.label };
}

/** The paths of the pages that an address belongs to: `/jobs/245` belongs to Jobs, and `/secrets` to the configuration. */
export function pathsOfAddress(address: string, pages: readonly ConsolePage[]): ReadonlySet<string> {
  const found = pages.filter(({ path }) => belongsTo(address, path.replace(/\/\$.*$/u, '')));
  return new Set(found.flatMap(({ path, section }) => [path, section ?? path]));
}

function belongsTo(address: string, path: string): boolean {
  return path === '/' ? address === '/' : address === path || address.startsWith(`${path}/`);
}
