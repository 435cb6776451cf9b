import { DetailedError, defaultOptions, Upload } from 'tus-js-client';
import { sessionState, userOfPage } from '../api/login-session.ts';
import { describeFailure } from '../api/send-request.ts';
import { texts } from '../texts.ts';
import type { Transfer } from './transfer.ts';

/** What an upload reports. */
export interface UploadListeners {
  progressed(progress: Pick<Transfer, 'sentBytes' | 'bytesPerSecond'>): void;
  stored(): void;
  failed(failure: NonNullable<Transfer['failure']>): void;
}

/** An upload that has been started. */
export interface RunningUpload {
  /** Stops sending. What has arrived is kept. */
  pause(): Promise<void>;
}

/** The waits before a broken connection is tried again, in milliseconds: a peer that is restarted is back within that time. */
const retryDelays = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000];

/** Progress is shown four times a second at most. */
const reportEveryMs = 250;

/**
 * Uploads a file with tus 1.0. An upload of the same file to the same folder that was interrupted, also by a reload of
 * the page or by the end of a peer, is continued.
 */
export function startUpload(transfer: Transfer, file: File, listeners: UploadListeners): RunningUpload {
  const { folder, name } = transfer;
  const measure = createSpeedometer();
  let reportedAtMs = 0;
  const upload = new Upload(file, {
    endpoint: '/2.0/uploads',
    retryDelays,
    removeFingerprintOnSuccess: true,
    metadata: { folder, filename: name, filetype: file.type, overwrite: String(transfer.overwrites) },
    fingerprint: () => Promise.resolve(fingerprintOf(transfer)),
    onShouldRetry: (error) => isWorthRetrying(error.originalResponse?.getStatus() ?? 0),
    onProgress(sentBytes) {
      const now = performance.now();
      const bytesPerSecond = measure(sentBytes, now);
      if (now - reportedAtMs < reportEveryMs) return;
      reportedAtMs = now;
      listeners.progressed({ sentBytes, bytesPerSecond });
    },
    onSuccess: () => listeners.stored(),
    onError(error) {
      const response = error instanceof DetailedError ? error.originalResponse : null;
      const status = response?.getStatus() ?? 0;
      if (status === 401) {
        // All uploads are suspended then.
        sessionState.set('closed');
        return;
      }
      const message = response === null ? texts.unreachable : describeFailure(status, response?.getBody() ?? '');
      listeners.failed({ message, isTaken: status === 412 });
    },
  });
  let isStopped = false;
  void upload.findPreviousUploads().then(([previous]) => {
    if (isStopped) return;
    if (previous !== undefined) upload.resumeFromPreviousUpload(previous);
    upload.start();
  });
  return {
    async pause() {
      isStopped = true;
      await upload.abort();
    },
  };
}

/** Has what has arrived of an unfinished upload removed, also of one that an earlier page of this browser began. */
export async function discardUpload(transfer: Transfer): Promise<void> {
  const { urlStorage } = defaultOptions;
  for (const { uploadUrl, urlStorageKey } of await urlStorage.findUploadsByFingerprint(fingerprintOf(transfer))) {
    if (uploadUrl !== null) await Upload.terminate(uploadUrl, { retryDelays }).catch(() => undefined);
    await urlStorage.removeUpload(urlStorageKey);
  }
}

/** The same for the same user, file and folder, in every page of this browser. */
function fingerprintOf({ folder, name, size, lastModified, overwrites }: Transfer): string {
  return ['waybill', userOfPage.get(), folder, name, size, lastModified, overwrites].join('|');
}

/** Broken connections, servers that are being restarted, and uploads that another peer is about to take over (409, 423). */
function isWorthRetrying(status: number): boolean {
  return status === 0 || status === 409 || status === 423 || status === 429 || (status >= 500 && status !== 507);
}

/** The speed over the last five seconds. */
function createSpeedometer(): (bytes: number, nowMs: number) => number {
  const samples: { bytes: number; atMs: number }[] = [];
  return (bytes, atMs) => {
    samples.push({ bytes, atMs });
    while (samples.length > 2 && atMs - (samples[0]?.atMs ?? atMs) > 5_000) samples.shift();
    const first = samples[0];
    return first === undefined || atMs === first.atMs ? 0 : ((bytes - first.bytes) / (atMs - first.atMs)) * 1_000;
  };
}
