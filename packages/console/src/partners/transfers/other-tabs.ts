import { userOfPage } from '../api/login-session.ts';
import type { Transfer } from './transfer.ts';

/** What tells an upload from others, in all tabs of this browser. */
type Upload = Pick<Transfer, 'folder' | 'name' | 'size' | 'lastModified'>;

/** Messages and locks take different ways through the browser: so long after the message, the lock is given back. */
const messageMs = 500;

const storedUploads = new BroadcastChannel('waybill-stored');

/** Tells other tabs of the same user that a file has been stored. */
export function tellTabsStored({ folder, name, size, lastModified }: Upload): void {
  storedUploads.postMessage({ user: userOfPage.get(), upload: { folder, name, size, lastModified } });
}

/** Calls back when another tab of the same user has stored a file. */
export function onStoredByTab(listener: (upload: Upload) => void): void {
  storedUploads.addEventListener('message', ({ data }: MessageEvent<{ user: string; upload: Upload }>) => {
    if (data.user === userOfPage.get()) listener(data.upload);
  });
}

/** The right to send a file, which one tab has at a time. */
export interface UploadLock {
  /** Lets other tabs send the file; once it is stored, when they know that. */
  release(outcome?: 'stored'): void;
}

/**
 * Takes the lock of an upload; undefined if it is taken. Browsers offer locks to pages of HTTPS only, and to those that may store
 * something: others send without one.
 */
export async function lockUpload(upload: Upload): Promise<UploadLock | undefined> {
  const noLock: UploadLock = { release: () => undefined };
  if (!isSecureContext) return noLock;
  const { promise: result, resolve: answer } = Promise.withResolvers<UploadLock | undefined>();
  const { promise: end, resolve: unlock } = Promise.withResolvers<void>();
  const release: UploadLock['release'] = (outcome) => {
    if (outcome === 'stored') setTimeout(unlock, messageMs);
    else unlock();
  };
  navigator.locks
    .request(nameOf(upload), { ifAvailable: true }, (lock) => {
      answer(lock === null ? undefined : { release });
      return lock === null ? undefined : end;
    })
    .catch(() => answer(noLock));
  return result;
}

/** Waits until the lock of an upload is free. */
export async function whenUnlocked(upload: Upload): Promise<void> {
  await navigator.locks.request(nameOf(upload), () => undefined);
}

function nameOf({ folder, name, size, lastModified }: Upload): string {
  return `waybill-upload:${JSON.stringify([userOfPage.get(), folder, name, size, lastModified])}`;
}
