import type { FileElement } from '@waybill/contracts/endpoints/files/elements/file-element';
import type { ListingOrder } from '../api/elements.ts';

/** The path of the folder that an element is in. */
export function folderOf({ id }: Pick<FileElement, 'id'>): string {
  return id.slice(0, id.lastIndexOf('/')) || '/';
}

type Comparison = (one: FileElement, other: FileElement) => number;

const compareTexts = (one: string, other: string): number => {
  if (one === other) return 0;
  return one < other ? -1 : 1;
};

/** Folders have no size, and what is mounted has no time. */
const comparisons: Readonly<Record<ListingOrder['sort'], Comparison>> = {
  name: (one, other) => compareTexts(one.filename, other.filename),
  folder: (one, other) => compareTexts(folderOf(one), folderOf(other)),
  size: (one, other) => sizeOf(one) - sizeOf(other),
  put_date: (one, other) => timeOf(one) - timeOf(other),
  // A search does not ask for it.
  expiry_date: () => 0,
};

/** The hits of a search in the order of the page; equal ones by their paths. */
export function sortHits(found: readonly FileElement[], { sort, direction }: ListingOrder): FileElement[] {
  const sign = direction === 'ASC' ? 1 : -1;
  return found.toSorted((one, other) => sign * comparisons[sort](one, other) || sign * compareTexts(one.id, other.id));
}

function sizeOf({ directory, attributes }: FileElement): number {
  return directory ? -1 : Number(attributes.size ?? 0);
}

function timeOf({ attributes: { putDate } }: FileElement): number {
  return putDate === undefined || putDate === '' ? 0 : Date.parse(putDate);
}
