import type { Upload } from '@waybill/filebox/model/upload';
import type { Receipt } from '../receipts/receipt.ts';
import type { DeliveryBook, DeliveryEntries } from './delivery-book.ts';

/** What delivering works with. */
export interface DeliverFilePorts {
  readonly deliveries: DeliveryBook;
  readonly events: { fileReceived(size: number): void };
}

/** Commits an upload that is whole: file, receipt and what else belongs to it are stored together or not at all. */
export type DeliverFile = (upload: Pick<Upload, 'commit'>, entries: DeliveryEntries) => Promise<Receipt>;

/** Delivers files with the entries of a book. */
export function createDeliverFile({ deliveries, events }: DeliverFilePorts): DeliverFile {
  return async (upload, entries) => {
    const { userName, path } = entries;
    const { fileset, size, sha256, putAt, dfic } = await deliveries.commit(upload, entries);
    events.fileReceived(size);
    return { fileset, userName, path, size, sha256, storedAt: putAt, dfiid: dfic.dfiid };
  };
}
