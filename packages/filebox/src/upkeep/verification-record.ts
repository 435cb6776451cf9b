import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { pathOfStored, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { OutboxMessage } from '@waybill/outbox/message-rows';
import type { Database, Transaction } from '@waybill/postgres/database';
import type { BlobToCheck } from './check-blob.ts';
import { damages, type Damage, type DamagedFile } from './damaged-file.ts';

/** What a verification covered. */
export interface Verification {
  /** Stored contents; each is read once, however many files share it. */
  blobs: number;
  /** The bytes read of them. */
  bytes: number;
  /** Files whose stored content is damaged. */
  damaged: number;
}

/** Who verifies, and what. */
export interface VerificationRecordOptions {
  db: Database;
  vfsId: string | undefined;
  /** The name of the VFS. */
  vfsName?: string | undefined;
  by: { user: string; nodeId: string; managerName: string };
}

/** Stores the findings of a verification. */
export interface VerificationRecord {
  /** Returns the files that use the blob; an empty list if they were deleted meanwhile. A new damage is audited. */
  damaged(blob: BlobToCheck, problem: Damage): Promise<DamagedFile[]>;
  /** The blob is intact, possibly after an earlier damage. */
  sound(blob: BlobToCheck): Promise<[]>;
  finish(verification: Verification): Promise<void>;
}

/** Stores findings in the database. */
export function createVerificationRecord(options: VerificationRecordOptions): VerificationRecord {
  const { db, vfsId, vfsName, by } = options;
  return {
    damaged: (blob, problem) =>
      db.transaction(async (trx) => {
        const files = await filesOf(trx, blob, problem);
        const isNew = files.length > 0 && (await noteDamage(trx, blob, problem));
        await appendToOutbox(trx, isNew ? files.map((file) => auditMessage(file, by)) : []);
        return files.filter((file) => vfsId === undefined || file.vfsId === vfsId);
      }),
    sound: async ({ blobId }) => {
      await db.raw('DELETE FROM filebox.damaged_blobs WHERE blob_id = ?', [blobId]);
      return [];
    },
    finish: async ({ blobs, bytes, damaged }) => {
      await db.transaction(async (trx) => {
        await trx.raw(
          `INSERT INTO filebox.verifications (vfs_id, blobs, bytes, damaged)
           VALUES (:vfsId, :blobs, :bytes, :damaged)`,
          { vfsId: vfsId ?? null, blobs, bytes, damaged },
        );
        await appendToOutbox(trx, [verifiedMessage({ blobs, damaged }, { vfsId, vfsName, by })]);
        await trx.raw(`DELETE FROM filebox.verifications WHERE finished_at < now() - interval '1 year'`);
        await trx.raw(
          `DELETE FROM filebox.damaged_blobs d
           WHERE NOT EXISTS (SELECT FROM filebox.entries e WHERE e.blob_id = d.blob_id)`,
        );
      });
    },
  };
}

type FileOfBlob = { id: string; vfs_id: string; folder_path: VirtualPath; name: string; dfiid: string | null };

async function filesOf(trx: Transaction, blob: BlobToCheck, problem: Damage) {
  const { blobId, storageClass, size, sha256 } = blob;
  const { rows } = await trx.raw<{ rows: FileOfBlob[] }>(
    `SELECT id, vfs_id, filebox.path_of(parent_id) AS folder_path, name, dfic ->> 'dfiid' AS dfiid FROM filebox.entries
     WHERE blob_id = :blobId AND size = :size AND sha256 = :sha256 ORDER BY id`,
    { blobId, size, sha256 },
  );
  return rows.map(({ id, vfs_id: vfsId, folder_path: folder, name, dfiid }) => ({
    vfsId,
    path: pathOfStored(folder, name),
    fileset: id,
    storageClass,
    blobId,
    problem,
    dfiid: dfiid ?? undefined,
  }));
}

/** Returns whether the damage is new. */
async function noteDamage(trx: Transaction, { blobId, storageClass }: BlobToCheck, problem: Damage): Promise<boolean> {
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    `INSERT INTO filebox.damaged_blobs AS d (blob_id, storage_class, problem) VALUES (:blobId, :storageClass, :problem)
     ON CONFLICT (blob_id) DO UPDATE SET problem = excluded.problem, found_at = now()
     WHERE d.problem <> excluded.problem`,
    { blobId, storageClass, problem },
  );
  return rowCount > 0;
}

function verifiedMessage(
  { blobs, damaged }: Pick<Verification, 'blobs' | 'damaged'>,
  { vfsId, vfsName, by }: Omit<VerificationRecordOptions, 'db'>,
): OutboxMessage {
  return {
    topic: 'audit-event',
    payload: composeAuditEvent('filesVerified', {
      ...by,
      entityType: 'VFS',
      entityName: vfsName ?? vfsId ?? 'all files',
      entityId: vfsId ?? '',
      names: { count: String(blobs), damaged: String(damaged) },
      context: { outcome: damaged === 0 ? 'success' : 'findings' },
    }),
  };
}

function auditMessage(
  { path, fileset, problem, dfiid }: DamagedFile & { dfiid: string | undefined },
  by: VerificationRecordOptions['by'],
): OutboxMessage {
  return {
    topic: 'audit-event',
    payload: composeAuditEvent('fileDamaged', {
      ...by,
      entityType: 'File',
      entityName: path,
      entityId: fileset,
      dfiid,
      names: { path, fileset, problem: damages[problem] },
    }),
  };
}
