import { filesetIdSchema } from '@waybill/contracts/values/fileset-id';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Database } from '@waybill/postgres/database';
import type { ReceiptBook } from '../domain/receipts/receipt-book.ts';
import type { Receipt } from '../domain/receipts/receipt.ts';

/** The table that the filebox stores receipts in. */
export const receiptTable = 'http_files.receipts';

/** A row of this table. */
interface ReceiptRow {
  fileset: string;
  user_name: string;
  path: string;
  size: string;
  sha256: Buffer;
  stored_at: Date;
  dfiid: string;
}

/** The largest number of a 64-bit column. */
const largestFileset = 2n ** 63n - 1n;

/**
 * Joins the user `u` of a receipt `r`. One that an earlier release has stored is known by the name: it is of the present user unless it is
 * older than this user.
 */
export const userOfReceipt = `
  directory.partner_users u ON r.user_id = u.id OR (r.user_id IS NULL AND r.user_name = u.name AND r.stored_at >= u.created_at)`;

/** Receipts in PostgreSQL. */
export function createKnexReceiptBook(db: Database): ReceiptBook {
  return {
    find: async ({ id }, fileset) => {
      if (BigInt(fileset) > largestFileset) return undefined;
      const { rows } = await db.raw<{ rows: ReceiptRow[] }>(
        `SELECT r.* FROM http_files.receipts r JOIN ${userOfReceipt} WHERE r.fileset = ? AND u.id = ?`,
        [fileset, id],
      );
      return rows[0] && receiptOf(rows[0]);
    },
    findAnswered: async ({ id }, key) => {
      const { rows } = await db.raw<{ rows: (ReceiptRow & { fingerprint: string })[] }>(
        `SELECT r.*, k.fingerprint FROM http_files.idempotency_keys k JOIN http_files.receipts r USING (fileset)
         WHERE k.user_id = ? AND k.key = ? AND k.expires_at > now()`,
        [id, key],
      );
      return rows[0] && { fingerprint: rows[0].fingerprint, receipt: receiptOf(rows[0]) };
    },
  };
}

function receiptOf(row: ReceiptRow): Receipt {
  return {
    fileset: filesetIdSchema.parse(row.fileset),
    userName: userNameSchema.parse(row.user_name),
    path: parseVirtualPath(row.path),
    size: Number(row.size),
    sha256: row.sha256.toString('hex'),
    storedAt: row.stored_at,
    dfiid: row.dfiid,
  };
}
