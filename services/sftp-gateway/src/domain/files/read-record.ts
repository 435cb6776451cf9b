import type { Download } from '@waybill/filebox/download';
import type { DownloadRecords } from './download-records.ts';

/** How far a version of a file was read through one handle. */
export interface ReadRecord {
  /** These bytes go to the client. */
  note(offset: number, bytes: number): void;
  /**
   * No more is read. A version of which the last byte was read counts as downloaded, on the record too. Where all of it was
   * read and the session keeps `records`, that is begun already, and not waited for.
   */
  close(): Promise<void>;
}

/** Watches the reading of an open file, and closes it at the end. */
export function createReadRecord(download: Download, records?: DownloadRecords): ReadRecord {
  const { size } = download.entry;
  let reachedEnd = false;
  let bytesRead = 0;
  let isBegun = false;
  let failure: { error: unknown } | undefined;
  return {
    note: (offset, bytes) => {
      reachedEnd ||= size === 0 || (bytes > 0 && offset + bytes >= size);
      bytesRead += bytes;
      if (!records || isBegun || !reachedEnd || bytesRead < size) return;
      isBegun = true;
      records.begin(download).catch((error: unknown) => {
        failure = { error };
      });
    },
    close: async () => {
      try {
        if (failure) throw failure.error;
        if (reachedEnd && !isBegun) await download.complete();
      } finally {
        await download[Symbol.asyncDispose]();
      }
    },
  };
}
