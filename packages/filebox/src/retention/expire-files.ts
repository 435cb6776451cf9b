import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { pathOfStored, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { OutboxMessage } from '@waybill/outbox/message-rows';
import type { Database, Transaction } from '@waybill/postgres/database';
import { fileOf, type FileRow } from '../entries/entry-row.ts';
import { transact } from '../entries/transact.ts';
import type { FileEntry } from '../model/entry.ts';
import type { Expiry } from './expiry.ts';

/** The number of files that one transaction deletes. */
const batch = 200;

/** The actor of the deletion in audit events. */
export interface ExpirySite {
  managerName: string;
  nodeName: string;
}

/** A deleted file, and the reason. */
export interface ExpiredFile {
  file: FileEntry;
  reason: string;
}

/** What a sweep looks for, and the reason. */
export interface ExpirySweep {
  db: Database;
  site: ExpirySite;
  expiry: Expiry;
  signal: AbortSignal;
  onExpired(expired: ExpiredFile): void;
}

/**
 * Deletes the files that are due for one reason, oldest first, each with an audit event. One process at a time does so;
 * files that another transaction is replacing, moving or deleting are skipped.
 */
export async function expireFiles({ db, site, expiry, signal, onExpired }: ExpirySweep): Promise<void> {
  for (let goOn = true; goOn && !signal.aborted;) {
    const expired = await transact(db, async (trx) => {
      if (!(await takeTurn(trx, expiry))) return [];
      const files = await takeDue(trx, expiry);
      await appendToOutbox(
        trx,
        files.map((file) => auditMessage(file, site)),
      );
      return files;
    });
    for (const file of expired) onExpired(file);
    goOn = expired.length === batch;
  }
}

async function takeTurn(trx: Transaction, { kind, vfsId = '' }: Expiry): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: { taken: boolean }[] }>(
    `SELECT pg_try_advisory_xact_lock(hashtextextended('filebox expiry ' || CAST(? AS text), 0)) AS taken`,
    [`${kind} ${vfsId}`],
  );
  return rows[0]?.taken === true;
}

/**
 * A file that was replaced, read or given another date just before it was locked is checked again under the lock, and
 * is not due.
 */
async function takeDue(trx: Transaction, { due, order, bindings, reasonOf }: Expiry): Promise<ExpiredFile[]> {
  const { rows } = await trx.raw<{ rows: (FileRow & { folder_path: VirtualPath })[] }>(
    `WITH due AS (
       SELECT id FROM filebox.entries WHERE kind = 'file' AND ${due}
       ORDER BY ${order} LIMIT :batch FOR UPDATE SKIP LOCKED
     ), gone AS (
       DELETE FROM filebox.entries e USING due WHERE e.id = due.id RETURNING e.*
     )
     SELECT gone.*, filebox.path_of(gone.parent_id) AS folder_path FROM gone ORDER BY id`,
    { ...bindings, batch },
  );
  return rows.map((row) => {
    const path = pathOfStored(row.folder_path, row.name);
    return { file: fileOf(row, path), reason: reasonOf(row) };
  });
}

function auditMessage({ file, reason }: ExpiredFile, { managerName, nodeName }: ExpirySite): OutboxMessage {
  const { path, fileset, dfic } = file;
  return {
    topic: 'audit-event',
    payload: composeAuditEvent('fileExpired', {
      user: 'platform',
      nodeId: nodeName,
      managerName,
      entityType: 'File',
      entityName: path,
      entityId: fileset,
      dfiid: dfic.dfiid,
      names: { path, fileset, rule: reason },
    }),
  };
}
