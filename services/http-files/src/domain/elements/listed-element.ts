import type { PagedEntry } from '@waybill/filebox/model/paged-entry';

/** An element of a folder in the tree that the user sees. */
export interface ListedElement {
  readonly name: string;
  /** Absent for a folder that is there because something is mounted there or below. */
  readonly entry: PagedEntry | undefined;
}
