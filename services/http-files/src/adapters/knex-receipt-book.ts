import { filesetIdSchema } from '@waybill/contracts/values/fileset-id';
import type { UserName } from '@waybill/contracts/values/user-name';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Database } from '@waybill/postgres/database';
import type { ReceiptBook } from '../domain/receipts/receipt-book.ts';
import type { Receipt } from '../domain/receipts/receipt.ts';

/** The table that the filebox stores receipts in. */
export const receiptTable = 'http_files.receipts';

/** A row of this table, without the user whose it is. */
interface ReceiptRow {
  fileset: string;
  path: string;
  size: string;
  sha256: Buffer;
  stored_at: Date;
  dfiid: string;
}

/** The largest number of a 64-bit column. */
const largestFileset = 2n ** 63n - 1n;

/** Receipts in PostgreSQL. */
export function createKnexReceiptBook(db: Database): ReceiptBook {
  return {
    find: async (userName, fileset) => {
      if (BigInt(fileset) > largestFileset) return undefined;
      const { rows } = await db.raw<{ rows: ReceiptRow[] }>(
        'SELECT * FROM http_files.receipts WHERE fileset = ? AND user_name = ?',
        [fileset, userName],
      );
      return rows[0] && receiptOf(rows[0], userName);
    },
    findAnswered: async (userName, key) => {
      const { rows } = await db.raw<{ rows: (ReceiptRow & { fingerprint: string })[] }>(
        `SELECT r.*, k.fingerprint FROM http_files.idempotency_keys k JOIN http_files.receipts r USING (fileset)
         WHERE k.user_name = ? AND k.key = ? AND k.expires_at > now()`,
        [userName, key],
      );
      return rows[0] && { fingerprint: rows[0].fingerprint, receipt: receiptOf(rows[0], userName) };
    },
  };
}

function receiptOf(row: ReceiptRow, userName: UserName): Receipt {
  return {
    fileset: filesetIdSchema.parse(row.fileset),
    userName,
    path: parseVirtualPath(row.path),
    size: Number(row.size),
    sha256: row.sha256.toString('hex'),
    storedAt: row.stored_at,
    dfiid: row.dfiid,
  };
}
