import type { Database } from '@waybill/postgres/database';
import type { RecordedTransfer, TransferBook } from '../domain/account/own-transfers.ts';
import { userOfReceipt } from './knex-receipt-book.ts';

interface TransferRow {
  transfer: boolean;
  sequence: string;
  audit_time: Date;
  audit_code: string;
  path: string | null;
  fileset: string | null;
  dfiid: string | null;
  virtual_file_system: string | null;
  address: string | null;
  client: string | null;
  bytes: string | null;
  size: string | null;
  sha256: Buffer | null;
}

/** The code of complete uploads. */
const uploaded = 'AUD0041A';

/** The transfers that the audit log has, with their receipts. */
export function createKnexTransferBook(db: Database): TransferBook {
  return {
    read: async ({ id, name }, { after, limit }) => {
      const before = after ? new Date(after.at).toISOString() : 'infinity';
      const { rows } = await db.raw<{ rows: TransferRow[] }>(
        `SELECT t.*, r.size, r.sha256
         FROM directory.partner_users owner
         JOIN audit.transfers_of(:name, CAST(:before AS timestamptz), CAST(:sequence AS bigint), CAST(:limit AS int)) t
           ON t.audit_time >= owner.created_at
         LEFT JOIN (http_files.receipts r JOIN ${userOfReceipt})
           ON t.audit_code = :uploaded AND r.fileset = CASE WHEN t.fileset ~ '^[0-9]{1,18}$' THEN CAST(t.fileset AS bigint) END AND u.id = owner.id
         WHERE owner.id = :id
         ORDER BY t.audit_time DESC, t.sequence DESC`,
        { id, name, before, sequence: after?.sequence ?? '0', limit: limit + 1, uploaded },
      );
      return rows.map((row) => ({ transfer: row.transfer ? transferOf(row) : undefined, place: placeOf(row) }));
    },
  };
}

function placeOf({ audit_time: at, sequence }: TransferRow) {
  return { at: at.getTime(), sequence };
}

function transferOf(row: TransferRow): RecordedTransfer {
  const { bytes, size, sha256 } = row;
  return {
    direction: row.audit_code === uploaded ? 'upload' : 'download',
    at: row.audit_time,
    path: row.path?.startsWith('/') ? row.path : undefined,
    virtualFileSystem: row.virtual_file_system ?? undefined,
    // A value that was erased is `[redacted]`.
    fileset: /^\d+$/u.test(row.fileset ?? '') ? (row.fileset ?? undefined) : undefined,
    dfiid: row.dfiid ?? undefined,
    address: row.address ?? undefined,
    client: row.client ?? undefined,
    size: bytes === null ? undefined : Number(bytes),
    receipt: size === null || sha256 === null ? undefined : { size: Number(size), sha256: sha256.toString('hex') },
  };
}
