import type { Logger } from '@waybill/service-kit/telemetry/logger';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import type { FileEntry } from './model/entry.ts';
import { refusalKindOf } from './model/limit-error.ts';

/** How an upload ended without a commit. */
export type UploadEnd = 'failed' | 'discarded' | 'suspended';

/** The events of the file index, in the log and in metrics. */
export interface FileboxEvents {
  fileStored(file: FileEntry, commitSeconds: number): void;
  uploadEnded(end: UploadEnd, blobId: string, error?: unknown): void;
  /** An upload ended because its right was withdrawn, and that could not be audited. */
  withdrawalNotRecorded(blobId: string, error: unknown): void;
  fileRead(file: FileEntry): void;
  /** An operation failed. Counted if the cause is missing room. */
  refused(error: unknown): void;
  /** The result of an upload's commit was lost, and the commit turned out to have taken effect. */
  commitRecovered(file: FileEntry, error: unknown): void;
}

/** Creates the events of one process. */
export function createFileboxEvents({ logger, metrics }: { logger: Logger; metrics: Metrics }): FileboxEvents {
  const uploads = metrics.counter({
    name: 'waybill_filebox_uploads_total',
    help: 'Uploads that ended, by outcome',
    labels: ['end'],
  });
  const storedBytes = metrics.counter({
    name: 'waybill_filebox_stored_bytes_total',
    help: 'Bytes of the files that were stored',
  });
  const commitSeconds = metrics.histogram({
    name: 'waybill_filebox_commit_seconds',
    help: 'Time from the last byte of an upload until its file was committed',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
  });
  const refusals = metrics.counter({
    name: 'waybill_filebox_refusals_total',
    help: 'Uploads, folders and moves refused by a limit of their VFS or by full storage',
    labels: ['limit'],
  });
  const refused = (error: unknown): void => {
    const limit = refusalKindOf(error);
    if (limit) refusals.inc({ limit });
  };
  const reads = metrics.counter({
    name: 'waybill_filebox_reads_total',
    help: 'Files that were read completely',
  });
  return {
    fileStored: (file, seconds) => {
      uploads.inc({ end: 'stored' });
      storedBytes.inc(file.size);
      commitSeconds.observe(seconds);
      logger.info({ ...namesOf(file), size: file.size, sha256: file.sha256 }, 'file stored');
    },
    uploadEnded: (outcome, blobId, error) => {
      // The name in the metric and in the log.
      const end = outcome === 'discarded' ? 'aborted' : outcome;
      uploads.inc({ end });
      refused(error);
      if (end === 'failed') logger.warn({ err: error, blobId }, 'upload failed');
      else logger.debug({ blobId, end }, 'upload ended');
    },
    refused,
    withdrawalNotRecorded: (blobId, error) =>
      logger.error({ err: error, blobId }, 'the withdrawn right to an upload is not audited'),
    fileRead: (file) => {
      reads.inc();
      logger.info(namesOf(file), 'file read');
    },
    commitRecovered: (file, error) => {
      logger.warn({ ...namesOf(file), err: error }, 'the answer to a commit was lost, but it took effect');
    },
  };
}

function namesOf({ vfsId, path, fileset, dfic }: FileEntry) {
  return { vfsId, path, fileset, dfiid: dfic.dfiid, lcid: dfic.lcid };
}
