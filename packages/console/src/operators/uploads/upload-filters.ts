import {
  listUnfinishedUploadsEndpoint,
  type UnfinishedUploadView,
} from '@waybill/contracts/endpoints/server-sessions/unfinished-upload-endpoints';
import { formatBytes } from '../../page-kit/format/format-bytes.ts';
import { findFaultyFilters } from '../address/faulty-filters.tsx';
import type { Filters } from '../address/use-filters.ts';
import { callEndpoint } from '../api/call-endpoint.ts';
import { cursorOf } from '../api/pages.ts';
import type { CursorPage } from '../lists/use-cursor-rows.ts';
import { type FindMatching, readMatching } from '../lists/use-matching-rows.ts';
import { texts } from '../texts/texts.ts';

const { uploads: words } = texts;

/** The filters of the list of unfinished uploads, by their names in the interface and in the address of the page. */
export const uploadFilterNames = ['userName', 'actor', 'virtualFileSystem', 'path'] as const;

/** The name of a filter. */
export type UploadFilterName = (typeof uploadFilterNames)[number];

/** The filters that are set. */
export type UploadFilters = Filters<UploadFilterName>;

/** An upload in the list. */
export type ListedUpload = UnfinishedUploadView & { readonly id: string };

/** Those of the filters that no upload can match. */
export function findFaultyUploadFilters(filters: UploadFilters): readonly string[] {
  return findFaultyFilters(listUnfinishedUploadsEndpoint.query, filters);
}

/** Uploads of one page. */
export const uploadPageSize = 100;

/** How often the list is read: the size of each upload is looked up in its storage, which may be one that charges for it. */
export const refreshUploadsEveryMs = 10_000;

/** Uploads that are deleted at once, at most. */
export const deletedAtMost = 10_000;

/** Uploads that one request counts. */
const countedAtOnce = 1_000;

/** Reads a page of uploads, newest first. */
export async function listUploads(
  filters: UploadFilters,
  page: { readonly cursor: string | undefined; readonly maxItems: number },
  signal: AbortSignal,
): Promise<CursorPage<ListedUpload>> {
  const query = { ...filters, ...page };
  const { items, next } = await callEndpoint(listUnfinishedUploadsEndpoint, { query, signal });
  return { rows: items.map((upload) => ({ ...upload, id: upload.uploadId })), next: cursorOf(next) };
}

/** The uploads that match; undefined if they are more than `deletedAtMost`. @throws RequestFailure */
export const findMatchingUploads: FindMatching<ListedUpload, UploadFilters> = (filters, onFound, signal) =>
  readMatching((cursor) => listUploads(filters, { cursor, maxItems: countedAtOnce }, signal), {
    most: deletedAtMost,
    onFound,
  });

/** Where the file will be. */
export function placeInWords({ virtualFileSystem, path }: UnfinishedUploadView): string {
  return words.place(virtualFileSystem ?? words.removedVfs, path ?? words.deletedFolder);
}

/** What has arrived. */
export function sizeInWords({ bytes, length }: UnfinishedUploadView): string {
  if (bytes === null) return words.unknownSize;
  return length === null ? formatBytes(bytes) : words.arrivedOf(formatBytes(bytes), formatBytes(length));
}
