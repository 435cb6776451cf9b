import type { UserName } from '@waybill/contracts/values/user-name';
import { nameOf, parentOf, segmentsOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Queryable } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import { entryColumnsOf, type EntryRow } from './entry-row.ts';

/** The two paths, and the user. */
export interface Places {
  vfsId: string;
  from: VirtualPath;
  to: VirtualPath;
  userName: UserName;
  /** Blob ids of the uploads that the session has open at either path. */
  open: readonly string[];
}

/** One end of a rename. */
export interface Place {
  /** Undefined if the folder is missing. */
  folderId: string | undefined;
  folderKind: 'folder' | 'file' | undefined;
  entry: EntryRow | undefined;
  /** Changes whenever any column of the entry changes. */
  version: string | undefined;
  /** The session has an open upload here that was never committed. */
  hasOpenUpload: boolean;
  /** The user has an upload here that is not open in the session. */
  hasOtherUpload: boolean;
}

type PlaceRow = (EntryRow | { id: null }) & {
  folder_id: string | null;
  folder_kind: 'folder' | 'file' | null;
  version: string | null;
  has_open_upload: boolean;
  has_other_upload: boolean;
};

/** Reads both ends of a rename in one statement, without locks. */
export async function readPlaces(db: Queryable, places: Places): Promise<{ source: Place; target: Place }> {
  const { vfsId, from, to, userName, open } = places;
  const [source, target] = await runPrepared<PlaceRow>(db, lookStatement, {
    vfsId,
    sourceParents: segmentsOf(parentOf(from)),
    sourceName: nameOf(from),
    targetParents: segmentsOf(parentOf(to)),
    targetName: nameOf(to),
    userName,
    open,
  });
  if (!source || !target) throw new Error('a statement that returns two rows returned fewer');
  return { source: placeOf(source), target: placeOf(target) };
}

function placeOf(row: PlaceRow): Place {
  const entry = row.id === null ? undefined : row;
  return {
    folderId: row.folder_id ?? undefined,
    folderKind: row.folder_kind ?? undefined,
    entry,
    version: row.version ?? undefined,
    hasOpenUpload: row.has_open_upload,
    hasOtherUpload: row.has_other_upload,
  };
}

const lookStatement = prepareStatement(
  'filebox look at places',
  `SELECT place.folder_id, folder.kind AS folder_kind, e.xmin::text AS version,
     uploads.has_open_upload, uploads.has_other_upload,
     ${entryColumnsOf('e')}
   FROM (
     SELECT 1 AS position, filebox.entry_at(:vfsId, CAST(:sourceParents AS text[])) AS folder_id,
       CAST(:sourceName AS text) COLLATE "C" AS entry_name
     UNION ALL
     SELECT 2, filebox.entry_at(:vfsId, CAST(:targetParents AS text[])), CAST(:targetName AS text) COLLATE "C"
     OFFSET 0
   ) AS place
   LEFT JOIN filebox.entries folder ON folder.id = place.folder_id
   LEFT JOIN filebox.entries e ON e.parent_id = place.folder_id AND e.name = place.entry_name
   CROSS JOIN LATERAL filebox.uploads_at(place.folder_id, place.entry_name, :userName, CAST(:open AS uuid[]), e.put_at) AS uploads
   ORDER BY place.position`,
);
