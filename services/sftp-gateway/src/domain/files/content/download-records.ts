import type { Download } from '@waybill/filebox/model/download';

/**
 * The downloads of a session on their way to the record. A client need not wait while one is put there; but until it is, the
 * session is given no other content, and does nothing that belongs on the record behind it.
 */
export interface DownloadRecords {
  /** Puts a download on the record. What fails is tried again whenever somebody waits for it. */
  begin(download: Pick<Download, 'complete'>): Promise<void>;
  /** Resolves when all of them are on the record; undefined while none is on its way. Rejects when one cannot be put there. */
  settled(): Promise<void> | undefined;
}

/** None at first. */
export function createDownloadRecords(): DownloadRecords {
  const unrecorded = new Map<Pick<Download, 'complete'>, Promise<void>>();
  const begin: DownloadRecords['begin'] = (download) => {
    const recording = download.complete().then(() => void unrecorded.delete(download));
    unrecorded.set(download, recording);
    // It stays among the others: whoever waits for them hears of it, if another try fails as well.
    recording.catch(() => {});
    return recording;
  };
  const settle = async (): Promise<void> => {
    const recordings = [...unrecorded].map(([download, recording]) => recording.catch(() => begin(download)));
    await Promise.all(recordings);
  };
  return { begin, settled: () => (unrecorded.size === 0 ? undefined : settle()) };
}
