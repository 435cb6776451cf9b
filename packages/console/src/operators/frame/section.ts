import { createContext } from 'react';
import type { ConsolePage } from './page.ts';

/** The section that a page belongs to, if its address does not say so: the way back. */
export interface Section {
  readonly path: string;
  readonly label: string;
}

/** The section of the page that is shown. */
export const SectionContext = createContext<Section | undefined>(undefined);

/** The section of a page that names one. */
export function sectionOf({ section }: ConsolePage, pages: readonly ConsolePage[]): Section | undefined {
  const label = pages.find(({ path }) => path === section)?.label;
  return section === undefined || label === undefined ? undefined : { path: section, label };
}

/** The paths of the pages that an address belongs to: `/jobs/245` belongs to Jobs, and `/secrets` to the configuration. */
export function pathsOfAddress(address: string, pages: readonly ConsolePage[]): ReadonlySet<string> {
  const found = pages.filter(({ path }) => belongsTo(address, path.replace(/\/\$.*$/u, '')));
  return new Set(found.flatMap(({ path, section }) => [path, section ?? path]));
}

function belongsTo(address: string, path: string): boolean {
  return path === '/' ? address === '/' : address === path || address.startsWith(`${path}/`);
}
