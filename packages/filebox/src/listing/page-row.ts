import type { PagedEntry } from '../model/paged-entry.ts';

/** The columns of `filebox.entries` that a page is made of, those that it is ordered by among them. */
export const pageColumns = `id, name, kind, owner, size, media_type, put_at, first_read_at, last_read_at, expires_at,
  created_at, modified_at, system_metadata`;

/** What a `PageRow` has, from a `head` with what is known of the folder and a `page` with those columns. */
export const pageRowSql = `head.holds, head.total, head.folder_state, page.kind, page.name, page.owner, timezone('UTC', page.created_at),
  timezone('UTC', page.modified_at), page.id, page.size, page.media_type, timezone('UTC', page.put_at),
  timezone('UTC', page.first_read_at), timezone('UTC', page.last_read_at), NULLIF(page.system_metadata, '{}')`;

/** What every row tells of the folder. */
type Head = [holds: 't' | 'f' | null, total: string | null, state: string | null];

/** The row of a page without entries. */
type EmptyRow = readonly [...Head, kind: null];

/** An entry with values as text, times without their zone, and none of them named: pages are long. */
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

/** The entry of a row; none for the row of a page without entries. */
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

/** `2026-03-02 08:15:30.41` as PostgreSQL writes it, which leaves out what ends in zeros. */
function isoTime(time: string): string {
  return `${time.slice(0, 10)}T${time.slice(11, 19)}.${time.slice(20, 23).padEnd(3, '0')}Z`;
}
