import type { CoveredVersion, DownloadCoverage } from '@waybill/download-coverage/download-coverage';
import type { Download } from '@waybill/filebox/model/download';
import type { DownloadRecords } from './download-records.ts';
import { ReadParts } from './read-parts.ts';

/** What a user reads of a version of a file through one handle. */
export interface ReadRecord {
  /** These bytes go to the client; none when it is told that there are no more. */
  note(offset: number, bytes: number): void;
  /**
   * No more is read. A version of which the user has read every byte by now, through this handle or together with others before
   * it, counts as downloaded, on the record too. Where one handle has read them and the session keeps `records`, that is begun
   * already, and not waited for.
   */
  close(): Promise<void>;
}

/** Who reads, and what is remembered of it. */
export interface Reading {
  readonly user: CoveredVersion['user'];
  readonly coverage: DownloadCoverage;
  readonly records?: DownloadRecords;
}

/** Watches the reading of an open file, and closes it at the end. */
export function createReadRecord(download: Download, { user, coverage, records }: Reading): ReadRecord {
  const { size, fileset } = download.entry;
  const read = new ReadParts();
  let isAsked = false;
  let isBegun = false;
  let failure: { error: unknown } | undefined;

  const isWhole = async (): Promise<boolean> => {
    if (read.covers(size)) return isAsked;
    for (const part of read.all) if (await coverage.add({ user, fileset, size }, part)) return true;
    return false;
  };
  const counted = {
    complete: async (): Promise<void> => {
      await download.complete();
      // Or parts from before would make a second download of one that is read later.
      if (read.covers(size)) coverage.forget({ user, fileset });
    },
  };
  return {
    note: (offset, bytes) => {
      isAsked = true;
      const end = Math.min(offset + bytes, size);
      if (offset < end) read.add({ start: offset, end });
      if (!records || isBegun || !read.covers(size)) return;
      isBegun = true;
      records.begin(counted).catch((error: unknown) => {
        failure = { error };
      });
    },
    close: async () => {
      try {
        if (failure) throw failure.error;
        if (!isBegun && (await isWhole())) await counted.complete();
      } finally {
        await download[Symbol.asyncDispose]();
      }
    },
  };
}
