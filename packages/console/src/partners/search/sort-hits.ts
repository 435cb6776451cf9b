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

const comparisons: Readonly<Record<ListingOrder['sort'], Comparison>> = {
  name: (one, other) => compareTexts(one.filename, other.filename),
  folder: (one, other) => compareTexts(folderOf(one), folderOf(other)),
  size: (one, other) => sizeOf(one) - sizeOf(other),
  put_date: (one, other) => timeOf(one) - timeOf(other),
  // A search does not ask for it.
  expiry_date: () => 0,
};

/** The hits of a search in the order of the page, folders first as in a listing; equal ones by their paths. */
export function sortHits(found: readonly FileElement[], { sort, direction }: ListingOrder): FileElement[] {
  const sign = direction === 'ASC' ? 1 : -1;
  return found.toSorted(
    (one, other) =>
      Number(other.directory) - Number(one.directory) ||
      sign * comparisons[sort](one, other) ||
      sign * compareTexts(one.id, other.id),
  );
}

function sizeOf({ attributes }: FileElement): number {
  return Number(attributes.size ?? 0);
}

function timeOf({ attributes: { putDate } }: FileElement): number {
  return putDate === undefined || putDate === '' ? 0 : Date.parse(putDate);
}
