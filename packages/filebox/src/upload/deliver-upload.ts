import { segmentsOf } from '@waybill/contracts/values/virtual-path';
import type { Database } from '@waybill/postgres/database';
import type { CommitObserver } from '../blobs/commit-step.ts';
import { shareBlob } from '../blobs/share-blob.ts';
import { fileOf, type FileRow } from '../entries/entry-row.ts';
import { repeatWhenHindered, transact } from '../entries/transact.ts';
import { auditMessage } from '../messages/audit-message.ts';
import { dataflowOfUpload } from '../messages/dataflow-of-upload.ts';
import { fileEventMessage } from '../messages/file-event-message.ts';
import type { FileEntry } from '../model/entry.ts';
import type { Origin } from '../model/origin.ts';
import type { StoredReceipt } from '../model/stored-receipt.ts';
import type { TransferRight } from '../model/transfer-right.ts';
import type { CommitOptions } from '../model/upload.ts';
import { swapEntry, type ComingFile, type SealedUpload, type Swap, type SwappedEntry } from './swap-entry.ts';

/** What delivering needs. */
export interface DeliveryParts {
  db: Database;
  managerName: string;
  /** Where receipts are stored, with its schema; undefined where uploads get none. */
  receiptTable: string | undefined;
  observe: CommitObserver;
}

/** A sealed blob and who sent it. */
export interface Delivery extends Omit<SealedUpload, 'dfic'> {
  origin: Origin;
  /** Judged by the statement that delivers. */
  right: TransferRight | undefined;
}

/**
 * One transaction: the file is at its path, on the record and announced; or nothing has happened. Where nothing else
 * belongs to it, it is a single statement. Undefined when it was to have the blob of a file that is not there any more.
 */
export async function deliverUpload(
  parts: DeliveryParts,
  delivery: Delivery,
  { within, receipt }: CommitOptions = {},
): Promise<SwappedEntry | undefined> {
  const { db, managerName, receiptTable, observe } = parts;
  const { origin, right, ...sealed } = delivery;
  const correlationId = sealed.metadata.systemMetadata['CORRELATION_ID'];
  const upload = { ...sealed, dfic: dataflowOfUpload(origin, { ...sealed, correlationId }) };
  const tellOf = (file: ComingFile) => [
    auditMessage({ fact: 'fileUploaded', entry: file, origin, managerName }),
    ...(sealed.isTemporaryName(file.path) ? [] : [fileEventMessage('stored', file, origin)]),
  ];
  const told = { upload, tellOf, receipt: receipt && receiptIn(receiptTable, receipt), right };
  const isShared = sealed.contentBlobId !== sealed.blobId;
  if (!within && !isShared) return repeatWhenHindered(() => swapEntry(db, told));
  return transact(db, async (trx) => {
    if (isShared && !(await shareBlob(trx, sealed.contentBlobId))) return undefined;
    const swapped = await swapEntry(trx, told);
    await observe('entrySwapped');
    await within?.(trx, swapped.file);
    return swapped;
  });
}

function receiptIn(table: string | undefined, receipt: StoredReceipt): Swap['receipt'] {
  if (table === undefined) throw new Error('this filebox has no table for receipts');
  return { ...receipt, table };
}

/**
 * The file that an upload became, if it did: for a commit whose answer was lost. One that has another file's blob is
 * known by its path.
 */
export async function findDelivered(
  db: Database,
  { vfsId, path, blobId, contentBlobId }: Pick<Delivery, 'vfsId' | 'path' | 'blobId' | 'contentBlobId'>,
): Promise<FileEntry | undefined> {
  const { rows } = await db.raw<{ rows: FileRow[] }>(
    `SELECT * FROM filebox.entries
     WHERE blob_id = :contentBlobId
       AND (:contentBlobId = :blobId OR id = filebox.entry_at(:vfsId, CAST(:names AS text[])))
     ORDER BY id LIMIT 1`,
    { contentBlobId, blobId, vfsId, names: segmentsOf(path) },
  );
  return rows[0] && fileOf(rows[0], path);
}
