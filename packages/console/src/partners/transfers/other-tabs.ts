import { userOfPage } from '../api/login-session.ts';
import { answerAsks, askHolder, type LockHolder } from './signs-of-life.ts';
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

const oneMoment: LockHolder = { isGoingOn: () => true, lost: () => undefined };

/**
 * Takes the lock of an upload; undefined if it is taken. Browsers offer locks to pages of HTTPS only, and to those that may store
 * something: others send without one.
 */
export async function lockUpload(upload: Upload, holder = oneMoment): Promise<UploadLock | undefined> {
  const noLock: UploadLock = { release: () => undefined };
  if (!isSecureContext) return noLock;
  const name = nameOf(upload);
  const { promise: result, resolve: answer } = Promise.withResolvers<UploadLock | undefined>();
  const { promise: end, resolve: unlock } = Promise.withResolvers<void>();
  const release: UploadLock['release'] = (outcome) => {
    if (outcome === 'stored') setTimeout(unlock, messageMs);
    else unlock();
  };
  let isHeld = false;
  navigator.locks
    .request(name, { ifAvailable: true }, (lock) => {
      isHeld = lock !== null;
      if (isHeld) answerAsks(name, holder, end);
      answer(isHeld ? { release } : undefined);
      return isHeld ? end : undefined;
    })
    .catch(() => {
      if (isHeld) holder.lost();
      else answer(noLock);
      unlock();
    });
  return result;
}

/**
 * Waits until the lock of an upload is free. It is taken from a tab that hangs, as long as the upload is waited for: this is safe,
 * because the server takes bytes of an upload from one request at a time, and only those that it does not have.
 */
export async function whenUnlocked(upload: Upload, isWaiting: () => boolean): Promise<void> {
  const name = nameOf(upload);
  const signs = askHolder(name, isWaiting);
  // Another tab that waits may take the lock from this one at this moment.
  await navigator.locks.request(name, () => undefined).catch(() => undefined);
  signs.stop();
}

function nameOf({ folder, name, size, lastModified }: Upload): string {
  return `waybill-upload:${JSON.stringify([userOfPage.get(), folder, name, size, lastModified])}`;
}
