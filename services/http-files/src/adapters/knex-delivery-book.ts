import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { FilesetId } from '@waybill/contracts/values/fileset-id';
import type { Transaction } from '@waybill/postgres/database';
import type { KeyedUpload } from '../domain/receipts/receipt-book.ts';
import type { DeliveryBook, ResumedUpload } from '../domain/uploads/delivery-book.ts';

/** A file in the transaction that stores it, and its sender. */
interface StoredFile {
  readonly userId: string;
  readonly fileset: FilesetId;
}

/** How long the response to a request with a key is kept. */
const keptHours = 24;

/** Deliveries in PostgreSQL, in the transaction of the filebox. */
export function createKnexDeliveryBook(): DeliveryBook {
  return {
    commit: (upload, { userId, userName, path, answered, resumed }) => {
      const receipt = { userId, userName, path };
      if (!answered && !resumed) return upload.commit({ receipt });
      return upload.commit({
        receipt,
        within: async (transaction, { fileset }) => {
          if (answered) await insertKey(transaction, { userId, fileset }, answered);
          if (resumed) await finishResumed(transaction, { userId, fileset }, resumed);
        },
      });
    },
  };
}

/** A concurrent request with the same key waits here for our commit. Each new key deletes some expired ones. */
async function insertKey(transaction: Transaction, file: StoredFile, { key, fingerprint }: KeyedUpload): Promise<void> {
  const { rowCount } = await transaction.raw<{ rowCount: number }>(
    `INSERT INTO http_files.idempotency_keys AS k (user_id, key, fingerprint, fileset, expires_at)
     VALUES (:userId, :key, :fingerprint, :fileset, now() + make_interval(hours => :keptHours))
     ON CONFLICT (user_id, key) DO UPDATE
       SET fingerprint = excluded.fingerprint, fileset = excluded.fileset, expires_at = excluded.expires_at
       WHERE k.expires_at <= now()`,
    { ...file, key, fingerprint, keptHours },
  );
  if (rowCount === 0) throw new CodedError('idempotency_key_reused');
  await transaction.raw(
    `DELETE FROM http_files.idempotency_keys WHERE (user_id, key) IN (
       SELECT user_id, key FROM http_files.idempotency_keys WHERE expires_at <= now()
       LIMIT 10 FOR UPDATE SKIP LOCKED
     )`,
  );
}

/** Removes the parts of a resumable upload, and notes the resulting file. */
async function finishResumed(
  transaction: Transaction,
  { userId, fileset }: StoredFile,
  { id, parts }: ResumedUpload,
): Promise<void> {
  if (parts.length > 0) await takeParts(transaction, userId, parts);
  await transaction.raw('UPDATE http_files.resumable_uploads SET fileset = ? WHERE id = ?', [fileset, id]);
}

async function takeParts(transaction: Transaction, userId: string, parts: readonly string[]): Promise<void> {
  // In a fixed order, so that two requests for the same parts wait for each other and do not deadlock.
  const { rowCount } = await transaction.raw<{ rowCount: number }>(
    `DELETE FROM http_files.resumable_uploads WHERE id IN (
       SELECT id FROM http_files.resumable_uploads
       WHERE id = ANY(?) AND user_id = ? AND concatenation = 'partial' ORDER BY id FOR UPDATE
     )`,
    [[...parts], userId],
  );
  if (rowCount !== parts.length) throw new CodedError('upload_unknown');
}
