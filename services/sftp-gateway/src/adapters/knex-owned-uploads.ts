import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { usersOfActors } from '@waybill/directory/rights/names-of-actors';
import type { UnfinishedUpload, UnfinishedUploads } from '@waybill/filebox/unfinished/unfinished-uploads';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database, Queryable } from '@waybill/postgres/database';
import { currentClient } from '@waybill/service-kit/telemetry/correlation';
import type { ServerAddress } from '../domain/sessions/server-session.ts';
import type { OwnedUploads, UploadOwner } from '../domain/uploads/unfinished-uploads.ts';

/** What reads and removes uploads, and where. */
interface Site {
  readonly db: Database;
  readonly unfinished: Pick<UnfinishedUploads, 'list' | 'discard'>;
  readonly server: ServerAddress;
  readonly managerName: string;
}

/**
 * The unfinished uploads of the filebox, with their owners, and with what http-files knows of those that are resumed by an id. That
 * goes with an upload that is removed: its user may begin another one in its place.
 */
export function createKnexOwnedUploads(site: Site): OwnedUploads {
  const { db, unfinished } = site;
  return {
    list: async ({ actors, virtualFileSystem, ...query }) => {
      const ofUsers = actors && (await usersOfActors(db, actors));
      const vfsIds = virtualFileSystem === undefined ? undefined : await idsOfVfs(db, virtualFileSystem);
      const uploads = await unfinished.list({ ...query, ofUsers, vfsIds });
      const owners = await ownersOf(db, uploads);
      return uploads.map((upload) => ({ ...upload, ...ownerIn(owners, upload) }));
    },
    remove: async (uploadId, { requestedBy, actors }) => {
      let owner = unknownOwner;
      const removed = await unfinished.discard(uploadId, {
        ofUsers: actors && (await usersOfActors(db, actors)),
        within: async (trx, upload) => {
          owner = ownerIn(await ownersOf(trx, [upload]), upload);
          await trx.raw('DELETE FROM http_files.resumable_uploads WHERE blob_id = ? AND fileset IS NULL', [uploadId]);
          const payload = eventOf(site, { ...upload, ...owner }, requestedBy);
          await appendToOutbox(trx, [{ topic: 'audit-event', payload }]);
        },
      });
      return removed && { ...removed, ...owner };
    },
  };
}

async function idsOfVfs(db: Database, name: string): Promise<readonly string[]> {
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    'SELECT CAST(id AS text) AS id FROM directory.virtual_file_systems WHERE name = ?',
    [name],
  );
  return rows.map(({ id }) => id);
}

const unknownOwner: UploadOwner = { actor: undefined, virtualFileSystem: undefined, length: undefined };

type Owners = ReadonlyMap<string, UploadOwner>;

function ownerIn(owners: Owners, { blobId }: Pick<UnfinishedUpload, 'blobId'>): UploadOwner {
  return owners.get(blobId) ?? unknownOwner;
}

interface OwnerRow {
  readonly blob_id: string;
  readonly actor: string | null;
  readonly vfs: string | null;
  readonly length: string | null;
}

/** Who submits a job may have the name of a partner's user. */
async function ownersOf(on: Queryable, uploads: readonly UnfinishedUpload[]): Promise<Owners> {
  const { rows } = await on.raw<{ rows: OwnerRow[] }>(
    `SELECT w.blob_id, a.name AS actor, v.name AS vfs, r.length
     FROM jsonb_to_recordset(CAST(? AS jsonb)) AS w (blob_id uuid, vfs_id text, user_name text)
     LEFT JOIN directory.partner_users p ON p.name = w.user_name LEFT JOIN directory.actors a ON a.id = p.actor_id
     LEFT JOIN directory.virtual_file_systems v ON CAST(v.id AS text) = w.vfs_id
     LEFT JOIN http_files.resumable_uploads r ON r.blob_id = w.blob_id`,
    [
      JSON.stringify(
        uploads.map(({ blobId, vfsId, userName, protocol }) => ({
          blob_id: blobId,
          vfs_id: vfsId,
          user_name: protocol === undefined ? null : userName,
        })),
      ),
    ],
  );
  return new Map(
    rows.map(({ blob_id: blobId, actor, vfs, length }) => [
      blobId,
      {
        actor: actor ?? undefined,
        virtualFileSystem: vfs ?? undefined,
        length: length === null ? undefined : Number(length),
      },
    ]),
  );
}

function eventOf({ server, managerName }: Site, upload: UnfinishedUpload & UploadOwner, requestedBy: string) {
  const { blobId, userName, path, virtualFileSystem } = upload;
  const place = path ?? blobId;
  return composeAuditEvent('uploadRemoved', {
    user: requestedBy,
    nodeId: server.peerName,
    managerName,
    entityType: 'Upload',
    entityName: place,
    entityId: blobId,
    names: { path: place, whose: userName },
    context: { ...currentClient(), virtualFileSystem },
  });
}
