import type { SentRange, DownloadCoverage } from '@waybill/download-coverage/download-coverage';
import type { Download } from '@waybill/filebox/model/download';
import type { OwningUser } from '../access/caller.ts';

/** What an answer has sent of a download. */
export interface Sending {
  readonly user: OwningUser;
  /** What was to be sent. */
  readonly part: SentRange;
  /** Bytes of it that were handed over before the client left; undefined when all of them were. */
  readonly cutAfter?: number | undefined;
}

/**
 * Completes a download when its user was sent all of it: by one answer, or by several that resume it or divide it among
 * connections. What the end of an answer that was cut brought to its client is not known, so its last byte never counts.
 */
export type NoteSentRange = (download: Pick<Download, 'entry' | 'complete'>, sending: Sending) => Promise<void>;

/** Notes what was sent in the coverage that all peers share. */
export function createNoteSentRange({ coverage }: { coverage: DownloadCoverage }): NoteSentRange {
  return async (download, sending) => {
    const { user, part, cutAfter } = sending;
    const { fileset, size } = download.entry;
    const end = cutAfter === undefined ? part.end : Math.min(part.start + cutAfter, part.end - 1);
    const isWhole = cutAfter === undefined && part.start === 0 && end === size;
    if (!isWhole && end <= part.start) return;
    if (!isWhole && !(await coverage.add({ user, fileset, size }, { start: part.start, end }))) return;
    await download.complete();
    if (isWhole) coverage.forget({ user, fileset });
  };
}
