import type { PagedEntry } from '../model/paged-entry.ts';

/** The columns of `filebox.entries` that a page consists of, including those that order it. */
export const pageColumns = `id, name, kind, owner, size, media_type, put_at, first_read_at, last_read_at, expires_at,
  created_at, modified_at, system_metadata`;

/** The columns of a `PageRow`, from a `head` with the state of the folder and a `page` with those columns. */
export const pageRowSql = `head.holds, head.total, head.folder_state, page.kind, page.name, page.owner, timezone('UTC', page.created_at),
  timezone('UTC', page.modified_at), page.id, page.size, page.media_type, timezone('UTC', page.put_at),
  timezone('UTC', page.first_read_at), timezone('UTC', page.last_read_at), NULLIF(page.system_metadata, '{}')`;

/** What every row contains about the folder. */
type Head = [holds: 't' | 'f' | null, total: string | null, state: string | null];

/** The row of a page without entries. */
type EmptyRow = readonly [...Head, kind: null];

/** An entry with values as text, times without their zone, as an array without names: pages are long. */
type EntryRow = readonly [
  ...Head,
  kind: 'folder' | 'file',
  name: string,
  owner: string,
  createdAt: string,
  modifiedAt: string,
  fileset: string,
  size: string,
  mediaType: string,
  putAt: string,
  firstReadAt: string | null,
  lastReadAt: string | null,
  systemMetadata: Readonly<Record<string, string>> | null,
];

/** A row of a page. */
export type PageRow = EntryRow | EmptyRow;

const nothing = {};

/** The entry of a row; undefined for the row of a page without entries. */
export function pagedEntryOf(row: PageRow): PagedEntry | undefined {
  if (row[3] === null) return undefined;
  const [
    ,
    ,
    ,
    kind,
    name,
    owner,
    createdAt,
    modifiedAt,
    fileset,
    size,
    mediaType,
    putAt,
    firstReadAt,
    lastReadAt,
    set,
  ] = row;
  if (kind === 'folder') return { kind, name, owner, createdAt: isoTime(createdAt), modifiedAt: isoTime(modifiedAt) };
  return {
    kind,
    name,
    owner,
    createdAt: isoTime(createdAt),
    modifiedAt: isoTime(modifiedAt),
    fileset,
    size,
    mediaType,
    putAt: isoTime(putAt),
    firstReadAt: firstReadAt === null ? undefined : isoTime(firstReadAt),
    lastReadAt: lastReadAt === null ? undefined : isoTime(lastReadAt),
    systemMetadata: set ?? nothing,
  };
}

/** `2026-03-02 08:15:30.41` in PostgreSQL's form, which omits trailing zeros. */
function isoTime(time: string): string {
  return `${time.slice(0, 10)}T${time.slice(11, 19)}.${time.slice(20, 23).padEnd(3, '0')}Z`;
}
