import { CodedError } from '@waybill/contracts/errors/coded-error';
import { filesetIdSchema } from '@waybill/contracts/values/fileset-id';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import type { AddedStatement } from '@waybill/filebox/model/delivery-addition';
import type { Database, Transaction } from '@waybill/postgres/database';
import type { KeyedUpload, ReceiptBook } from '../domain/receipts/receipt-book.ts';
import type { Receipt } from '../domain/receipts/receipt.ts';

/** A row of the table `http_files.receipts`. */
interface ReceiptRow {
  fileset: string;
  user_name: string;
  path: string;
  size: string;
  sha256: Buffer;
  stored_at: Date;
  dfiid: string;
}

/** The largest number that a 64-bit column takes. */
const largestFileset = 2n ** 63n - 1n;

/** How long the answer under a key is kept. */
const keptHours = 24;

/** Receipts in PostgreSQL. */
export function createKnexReceiptBook(db: Database): ReceiptBook {
  return {
    entry: (receiptUser, receiptPath) => ({ statement: insertion, bindings: { receiptUser, receiptPath } }),
    enterKey: insertKey,
    find: async (userName, fileset) => {
      if (BigInt(fileset) > largestFileset) return undefined;
      const { rows } = await db.raw<{ rows: ReceiptRow[] }>(
        'SELECT * FROM http_files.receipts WHERE fileset = ? AND user_name = ?',
        [fileset, userName],
      );
      return rows[0] && receiptOf(rows[0]);
    },
    findAnswered: async (userName, key) => {
      const { rows } = await db.raw<{ rows: (ReceiptRow & { fingerprint: string })[] }>(
        `SELECT r.*, k.fingerprint FROM http_files.idempotency_keys k JOIN http_files.receipts r USING (fileset)
         WHERE k.user_name = ? AND k.key = ? AND k.expires_at > now()`,
        [userName, key],
      );
      return rows[0] && { fingerprint: rows[0].fingerprint, receipt: receiptOf(rows[0]) };
    },
  };
}

/** The time is the one that is answered: milliseconds, the rest cut off. */
const insertion: AddedStatement = {
  name: 'http files receipt',
  sql: `INSERT INTO http_files.receipts (fileset, user_name, path, size, sha256, stored_at, dfiid)
    SELECT id, :receiptUser, :receiptPath, size, sha256, date_trunc('milliseconds', put_at), dfic ->> 'dfiid'
    FROM stored`,
};

/** Whoever uses the key at the same time waits here for our commit. Each new key takes some forgotten ones away. */
async function insertKey(transaction: Transaction, receipt: Receipt, { key, fingerprint }: KeyedUpload): Promise<void> {
  const { userName, fileset } = receipt;
  const { rowCount } = await transaction.raw<{ rowCount: number }>(
    `INSERT INTO http_files.idempotency_keys AS k (user_name, key, fingerprint, fileset, expires_at)
     VALUES (:userName, :key, :fingerprint, :fileset, now() + make_interval(hours => :keptHours))
     ON CONFLICT (user_name, key) DO UPDATE
       SET fingerprint = excluded.fingerprint, fileset = excluded.fileset, expires_at = excluded.expires_at
       WHERE k.expires_at <= now()`,
    { userName, key, fingerprint, fileset, keptHours },
  );
  if (rowCount === 0) throw new CodedError('idempotency_key_reused');
  await transaction.raw(
    `DELETE FROM http_files.idempotency_keys WHERE (user_name, key) IN (
       SELECT user_name, key FROM http_files.idempotency_keys WHERE expires_at <= now()
       LIMIT 10 FOR UPDATE SKIP LOCKED
     )`,
  );
}

function receiptOf(row: ReceiptRow): Receipt {
  return {
    fileset: filesetIdSchema.parse(row.fileset),
    userName: row.user_name,
    path: parseVirtualPath(row.path),
    size: Number(row.size),
    sha256: row.sha256.toString('hex'),
    storedAt: row.stored_at,
    dfiid: row.dfiid,
  };
}
