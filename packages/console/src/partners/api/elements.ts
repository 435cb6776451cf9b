import type { FileElement } from '@waybill/contracts/endpoints/files/elements/file-element';
import type { Permission } from '@waybill/contracts/values/permission';
import { addressOf, requestFiles } from './request-files.ts';
import { RequestFailure } from './send-request.ts';

/** How a folder is shown; part of the page's address. */
export interface ListingOrder {
  /** By `folder`, only the hits of a search are sorted. */
  readonly sort: 'name' | 'size' | 'put_date' | 'expiry_date' | 'folder';
  readonly direction: 'ASC' | 'DESC';
  /** A pattern of names; empty for all. */
  readonly filter: string;
  /** Whether the filter is for everything below the folder, too. */
  readonly isDeep: boolean;
}

/** Some of a folder's elements, and how many it has in all. */
export interface ElementPage {
  readonly total: number;
  readonly elements: readonly FileElement[];
}

/** Elements in one request of a listing. */
export const pageSize = 200;

/** Rows of a listing. */
export interface RowRange {
  readonly start: number;
  readonly limit: number;
}

/** Reads one page of a folder. */
export function listElements(
  path: string,
  order: Omit<ListingOrder, 'isDeep'>,
  page: number,
  signal: AbortSignal,
): Promise<ElementPage> {
  return listRows(path, order, { start: page * pageSize, limit: pageSize }, signal);
}

/** Reads some rows of a folder. */
export async function listRows(
  path: string,
  { sort, direction, filter }: Omit<ListingOrder, 'isDeep'>,
  { start, limit }: RowRange,
  signal?: AbortSignal,
): Promise<ElementPage> {
  const query = new URLSearchParams({
    sort: sort === 'folder' ? 'name' : sort,
    direction,
    foldersFirst: 'true',
    start: String(start),
    limit: String(limit),
    ...(filter !== '' && { filter: patternOf(filter) }),
  });
  return readPage(path, query, signal);
}

/** The elements of a folder whose names match a filter, as many as `limit`. */
export async function findElements(
  path: string,
  filter: string,
  limit: number,
  signal: AbortSignal,
): Promise<readonly FileElement[]> {
  const query = new URLSearchParams({ filter: patternOf(filter), limit: String(limit), attributes: 'size,putDate' });
  return (await readPage(path, query, signal)).elements;
}

/** An element as the listing of its folder shows it; undefined if it is not there, or its folder is not. */
export async function findElement(path: string, signal: AbortSignal): Promise<FileElement | undefined> {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const folder = path.slice(0, path.lastIndexOf('/')) || '/';
  const query = new URLSearchParams({ filter: name, limit: '10000' });
  try {
    return (await readPage(folder, query, signal)).elements.find(({ id }) => id === path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Whether there is a folder at a path that may be listed. */
export async function isFolder(path: string, signal: AbortSignal): Promise<boolean> {
  try {
    await readPage(path, new URLSearchParams({ limit: '1', attributes: 'size' }), signal);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Whether a request has failed because there is nothing of that path. */
export function isMissing(error: unknown): boolean {
  return error instanceof RequestFailure && error.status === 404;
}

/** The paths of all folders directly in a folder. */
export async function listSubfolders(path: string, signal: AbortSignal): Promise<string[]> {
  const paths: string[] = [];
  for (;;) {
    const query = new URLSearchParams({
      type: 'folders',
      start: String(paths.length),
      limit: '10000',
      attributes: 'size',
    });
    const { total, elements } = await readPage(path, query, signal);
    paths.push(...elements.map(({ id }) => id));
    if (elements.length === 0 || paths.length >= total) return paths;
  }
}

async function readPage(path: string, query: URLSearchParams, signal?: AbortSignal): Promise<ElementPage> {
  const address = `${addressOf('directories', path)}?${query.toString()}`;
  const response = await requestFiles(address, signal === undefined ? {} : { signal });
  const { totalCount, files } = (await response.json()) as { totalCount: string; files: FileElement[] };
  return { total: Number(totalCount), elements: files };
}

/** A filter without `*` means every name that contains it. */
function patternOf(filter: string): string {
  return filter.includes('*') ? filter : `*${filter}*`;
}

/** Reads what the user may do at a path. */
export async function readPermissions(path: string, signal: AbortSignal): Promise<ReadonlySet<Permission>> {
  const response = await requestFiles(addressOf('permissions', path), { signal });
  const { permissions } = (await response.json()) as { permissions: Permission[] };
  return new Set(permissions);
}

/** Creates a folder. */
export async function createFolder(path: string): Promise<void> {
  await requestFiles(addressOf('folders', path), { method: 'PUT' });
}

/** Creates a folder unless it exists. A file of that name is a failure. */
export async function ensureFolder(path: string): Promise<void> {
  try {
    await createFolder(path);
  } catch (error) {
    // The folder exists, or only its parent may not be changed.
    if (!(error instanceof RequestFailure) || (error.status !== 409 && error.status !== 403)) throw error;
    // Only a folder can be listed.
    await requestFiles(`${addressOf('directories', path)}?limit=1`).catch(() => {
      throw error;
    });
  }
}

/** Renames or moves an element. */
export async function moveElement(from: string, to: string): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  await requestFiles('/2.0/move', { method: 'POST', headers, body: JSON.stringify({ from, to }) });
}

/** Deletes a file, or a folder with everything in it. */
export async function removeElement({ id, directory }: Pick<FileElement, 'id' | 'directory'>): Promise<void> {
  const address = directory ? `${addressOf('folders', id)}?recursive=true` : addressOf('files', id);
  await requestFiles(address, { method: 'DELETE' });
}
