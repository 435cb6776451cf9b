import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { FileEntry } from '@waybill/filebox/model/entry';
import type { Upload } from '@waybill/filebox/model/upload';
import type { KeyedUpload, ReceiptBook, StoringTransaction } from '../receipts/receipt-book.ts';
import type { Receipt } from '../receipts/receipt.ts';

/** What delivering works with. */
export interface DeliverFilePorts {
  readonly receipts: Pick<ReceiptBook, 'entry' | 'enterKey'>;
  readonly events: { fileReceived(size: number): void };
}

/** Whose file it is, and what belongs to its delivery. */
export interface DeliveryTerms {
  readonly userName: string;
  /** Where it is put, in the tree that the user sees. */
  readonly path: VirtualPath;
  /** The key that it is answered under from now on. */
  readonly answered?: KeyedUpload | undefined;
  /** Done in the transaction that stores the file. */
  within?(transaction: StoringTransaction, receipt: Receipt): Promise<void>;
}

/** Commits an upload that is whole: file, receipt and what else belongs to it are stored together or not at all. */
export function createDeliverFile({ receipts, events }: DeliverFilePorts) {
  return async (
    upload: Pick<Upload, 'commit'>,
    { userName, path, answered, within }: DeliveryTerms,
  ): Promise<Receipt> => {
    const receiptOf = ({ fileset, size, sha256, putAt, dfic }: FileEntry): Receipt => {
      return { fileset, userName, path, size, sha256, storedAt: putAt, dfiid: dfic.dfiid };
    };
    const alongside = receipts.entry(userName, path);
    const more = async (transaction: StoringTransaction, entry: FileEntry): Promise<void> => {
      const receipt = receiptOf(entry);
      if (answered !== undefined) await receipts.enterKey(transaction, receipt, answered);
      await within?.(transaction, receipt);
    };
    // Without more, file and receipt are one statement.
    const file = await upload.commit(answered || within ? { alongside, within: more } : { alongside });
    events.fileReceived(file.size);
    return receiptOf(file);
  };
}
