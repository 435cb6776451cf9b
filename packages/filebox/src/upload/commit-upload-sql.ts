import { appendMessagesSql, type AppendedMessage } from '@waybill/outbox/message-rows';
import { prepareStatement, type PreparedStatement } from '@waybill/postgres/prepared-statement';
import { entryColumns, type FileRow } from '../entries/entry-row.ts';
import { companionSql, type CompanionWrite } from '../model/companion-write.ts';
import type { TransferRight } from '../model/transfer-right.ts';
import type { SealedUpload } from './sealed-upload.ts';

/** A row that the statement returns. */
export type CommitRow = {
  folder_path: string | null;
  current_name: string | null;
  removed: boolean | null;
  told: AppendedMessage[] | null;
} & ({ id: null } | (FileRow & { replaced_blob_id: string | null }));

/** The statement's parameters that depend on the upload. */
export function commitBindings({ metadata: { metadata, systemMetadata, expiresAt }, ...upload }: SealedUpload) {
  return {
    vfsId: upload.vfsId,
    blobId: upload.blobId,
    contentBlobId: upload.contentBlobId,
    fileset: upload.fileset,
    holder: upload.holder,
    overwrite: upload.overwrite,
    inPlace: upload.followsFile || upload.inPlaceOf !== undefined,
    replaceable: upload.inPlaceOf === 'anything' ? null : (upload.inPlaceOf ?? null),
    size: upload.size,
    sha256: upload.sha256,
    mediaType: upload.mediaType,
    metadata: JSON.stringify(metadata),
    systemMetadata: JSON.stringify(systemMetadata),
    expiresAt: expiresAt ?? null,
    dfic: JSON.stringify(upload.dfic),
    modifiedAt: upload.modifiedAt ?? null,
  };
}

const statements = new Map<string, PreparedStatement>();

/** What a statement of a commit does in addition. */
export interface CommitAdditions {
  receiptTable: string | undefined;
  condition: TransferRight['condition'] | undefined;
  companion: Pick<CompanionWrite, 'name' | 'sql'> | undefined;
}

/** The single statement of a commit, with the table of receipts, the condition of a right and what the caller writes. */
export function commitStatement(additions: CommitAdditions): PreparedStatement {
  const { receiptTable, condition, companion } = additions;
  const parts = ['filebox commit upload', receiptTable, condition?.name, companion?.name];
  const name = parts.filter((part) => part !== undefined).join(', ');
  const known = statements.get(name);
  if (known) return known;
  const statement = prepareStatement(name, commitSql(additions));
  statements.set(name, statement);
  return statement;
}

const commitSql = ({ receiptTable, condition, companion }: CommitAdditions): string => `
  WITH upload AS (
    DELETE FROM filebox.uploads
    WHERE blob_id = CAST(:blobId AS uuid) AND holder = CAST(:holder AS uuid) AND NOT removed
      AND name = CAST(:name AS text) COLLATE "C" AND filebox.path_of(parent_id) = :folderPath
      AND ${condition?.sql ?? 'true'}
    RETURNING parent_id, name, user_name, storage_class
  ), stored AS (
    INSERT INTO filebox.entries AS e (id, vfs_id, parent_id, kind, name, owner, modified_at, storage_class, blob_id,
      size, sha256, media_type, put_at, expires_at, metadata, system_metadata, dfic, unannounced)
    SELECT CAST(:fileset AS bigint), :vfsId, parent_id, 'file', name, user_name,
      COALESCE(CAST(:modifiedAt AS timestamptz), now()), storage_class, CAST(:contentBlobId AS uuid),
      CAST(:size AS bigint), CAST(:sha256 AS bytea), :mediaType, now(), CAST(:expiresAt AS timestamptz),
      CAST(:metadata AS jsonb), CAST(:systemMetadata AS jsonb), CAST(:dfic AS jsonb), CAST(:unannounced AS boolean)
    FROM upload
    ON CONFLICT (parent_id, name) DO UPDATE SET
      id = excluded.id, owner = excluded.owner, created_at = excluded.created_at, modified_at = excluded.modified_at,
      storage_class = excluded.storage_class, blob_id = excluded.blob_id, size = excluded.size,
      sha256 = excluded.sha256, media_type = excluded.media_type, put_at = excluded.put_at, first_read_at = NULL,
      last_read_at = NULL, expires_at = excluded.expires_at, metadata = excluded.metadata,
      system_metadata = excluded.system_metadata, dfic = excluded.dfic,
      unannounced = excluded.unannounced,
      replaced_blob_id = e.blob_id
    WHERE e.kind = 'file' AND :overwrite
      AND (CAST(:replaceable AS text[]) IS NULL OR encode(e.sha256, 'hex') = ANY (CAST(:replaceable AS text[])))
    RETURNING ${entryColumns}, replaced_blob_id
  ), unused AS (
    INSERT INTO filebox.blob_removals (blob_id, storage_class)
    SELECT CAST(:blobId AS uuid), storage_class FROM stored
    WHERE CAST(:blobId AS uuid) <> CAST(:contentBlobId AS uuid)
  ), told AS (
    ${appendMessagesSql} WHERE EXISTS (SELECT FROM stored) RETURNING topic
  )${receiptTable === undefined ? '' : `, receipt AS (${receiptSql(receiptTable)})`}
  SELECT place.folder_path, place.current_name, place.removed,
    CASE WHEN EXISTS (SELECT FROM upload) AND (stored.id IS NULL OR (:inPlace AND replaced_blob_id IS NULL))
      THEN filebox.refuse('another stands there, or none') END,
    (SELECT json_agg(told) FROM told) AS told, stored.*${companion ? `, ${companionSql(companion, 'stored')} AS companion` : ''}
  FROM (SELECT 1) AS one LEFT JOIN stored ON true LEFT JOIN LATERAL (
    SELECT filebox.path_of(parent_id) AS folder_path, name AS current_name, removed FROM filebox.uploads
    WHERE stored.id IS NULL AND blob_id = CAST(:blobId AS uuid) AND holder = CAST(:holder AS uuid)
  ) AS place ON true`;

/** `stored` is the row of the file. The time is the one in the response: truncated to milliseconds. */
const receiptSql = (table: string): string => `
    INSERT INTO ${table} (fileset, user_id, user_name, path, size, sha256, stored_at, dfiid)
    SELECT id, CAST(:receiptUserId AS bigint), :receiptUser, :receiptPath, size, sha256, date_trunc('milliseconds', put_at), dfic ->> 'dfiid'
    FROM stored`;
