import { pathOfStored, parseVirtualPath, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Queryable } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';

/**
 * Where running uploads would be committed now, by blob id: a rename of their file or folder changes it. Uploads that
 * would no longer be committed are left out.
 */
export async function findUploadPlaces(db: Queryable, blobIds: readonly string[]): Promise<Map<string, VirtualPath>> {
  if (blobIds.length === 0) return new Map();
  const rows = await runPrepared<PlaceRow>(db, placesStatement, { blobIds });
  return new Map(
    rows.flatMap(({ blob_id: blobId, folder_path: folder, name }) =>
      folder === null ? [] : [[blobId, pathOfStored(parseVirtualPath(folder), name)]],
    ),
  );
}

interface PlaceRow {
  blob_id: string;
  folder_path: string | null;
  name: string;
}

const placesStatement = prepareStatement(
  'filebox find upload places',
  `SELECT blob_id, folder_path, name FROM filebox.upload_places(CAST(:blobIds AS uuid[]))`,
);
