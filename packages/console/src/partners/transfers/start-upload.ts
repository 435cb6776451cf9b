import { DetailedError, defaultOptions, Upload, type UploadOptions } from 'tus-js-client';
import { closeSession, userOfPage } from '../api/login-session.ts';
import { refusalOf, type RequestFailure } from '../api/send-request.ts';
import { texts } from '../texts.ts';
import { lockUpload, type UploadLock } from './other-tabs.ts';
import type { Transfer } from './transfer.ts';
import { createProgress, type Progress, type UploadProgress } from './upload-progress.ts';

/** What an upload reports. */
export interface UploadListeners {
  progressed(progress: Progress): void;
  stored(): void;
  failed(failure: NonNullable<Transfer['failure']>): void;
  /** Another tab is sending the file: this one does not. */
  elsewhere(): void;
}

/** An upload that has been started. */
export interface RunningUpload {
  /** Stops sending. What has arrived is kept. */
  pause(): Promise<void>;
}

/** The waits before a broken connection is tried again, in milliseconds: a peer that is restarted is back within that time. */
const retryDelays = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000];

/**
 * Uploads a file with tus 1.0. An upload of the same file to the same folder that was interrupted, also by a reload of
 * the page or by the end of a peer, is continued.
 */
export function startUpload(transfer: Transfer, file: File, listeners: UploadListeners): RunningUpload {
  const progress = createProgress((reported) => listeners.progressed(reported));
  let lock: UploadLock | undefined;
  let isStopped = false;
  const end = (outcome?: 'stored'): void => {
    progress.stop();
    lock?.release(outcome);
  };
  const upload = new Upload(file, {
    ...optionsOf(transfer, file, progress),
    onSuccess() {
      isStopped = true;
      listeners.stored();
      end('stored');
    },
    onError(error) {
      isStopped = true;
      end();
      tellFailure(error, listeners);
    },
  });
  const stop = async (): Promise<void> => {
    isStopped = true;
    progress.stop();
    await upload.abort();
    end();
  };
  const lost = (): void => {
    if (isStopped) return;
    void stop();
    listeners.elsewhere();
  };
  const begin = async (): Promise<void> => {
    lock = await lockUpload(transfer, { isGoingOn: progress.isGoingOn, lost });
    const [previous] = await upload.findPreviousUploads();
    if (isStopped || lock === undefined) {
      end();
      if (!isStopped) listeners.elsewhere();
      return;
    }
    if (previous !== undefined) upload.resumeFromPreviousUpload(previous);
    upload.start();
  };
  begin().catch((error: unknown) => {
    end();
    listeners.failed({ message: error instanceof Error ? error.message : String(error), isTaken: false });
  });
  return { pause: stop };
}

function tellFailure(error: Error, listeners: UploadListeners): void {
  const refusal = refusalIn(error);
  // All uploads are suspended then.
  if (refusal?.status === 401) closeSession(refusal);
  else listeners.failed({ message: refusal?.message ?? texts.unreachable, isTaken: refusal?.status === 412 });
}

/** What is sent, and when it is tried again. */
function optionsOf(transfer: Transfer, file: File, progress: UploadProgress): UploadOptions {
  const { folder, name, overwrites } = transfer;
  return {
    endpoint: '/2.0/uploads',
    retryDelays,
    removeFingerprintOnSuccess: true,
    metadata: { folder, filename: name, filetype: file.type, overwrite: String(overwrites) },
    fingerprint: () => Promise.resolve(fingerprintOf(transfer)),
    onShouldRetry(error) {
      const refusal = refusalIn(error);
      if (!isWorthRetrying(refusal?.status ?? 0)) return false;
      progress.delayed(refusal?.message ?? texts.unreachable);
      return true;
    },
    onProgress: progress.sent,
  };
}

/**
 * Has what has arrived of unfinished uploads removed, also of those that an earlier page of this browser began. What another tab is
 * sending stays. Of very many, most have not begun.
 */
export async function discardUploads(transfers: readonly Transfer[]): Promise<void> {
  const { urlStorage } = defaultOptions;
  const begun = (await urlStorage.findAllUploads()).map(({ urlStorageKey }) => urlStorageKey);
  const fingerprints = new Set(begun.map((key) => key.slice(key.indexOf(ownMark), key.lastIndexOf('::'))));
  for (const transfer of transfers) if (fingerprints.has(fingerprintOf(transfer))) await discardUpload(transfer);
}

async function discardUpload(transfer: Transfer): Promise<void> {
  const lock = await lockUpload(transfer);
  if (lock === undefined) return;
  try {
    const { urlStorage } = defaultOptions;
    for (const { uploadUrl, urlStorageKey } of await urlStorage.findUploadsByFingerprint(fingerprintOf(transfer))) {
      if (uploadUrl !== null) await Upload.terminate(uploadUrl, { retryDelays }).catch(() => undefined);
      await urlStorage.removeUpload(urlStorageKey);
    }
  } finally {
    lock.release();
  }
}

/** Begins each fingerprint; the keys that tus-js-client makes of them have `tus::` before it, and `::` and a number behind it. */
const ownMark = 'waybill|';

/** The same for the same user, file and folder, in every page of this browser. */
function fingerprintOf({ folder, name, size, lastModified, overwrites }: Transfer): string {
  return ownMark + [userOfPage.get(), folder, name, size, lastModified, overwrites].join('|');
}

/** Broken connections, servers that are being restarted, and uploads that another peer is about to take over (409, 423). */
function isWorthRetrying(status: number): boolean {
  return status === 0 || status === 409 || status === 423 || status === 429 || (status >= 500 && status !== 507);
}

/** What the server has answered to a request that failed; undefined if it has not. */
function refusalIn(error: Error): RequestFailure | undefined {
  const response = error instanceof DetailedError ? error.originalResponse : null;
  return response === null ? undefined : refusalOf(response.getStatus(), response.getBody());
}
