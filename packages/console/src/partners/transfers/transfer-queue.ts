import { createStore } from '../../page-kit/create-store.ts';
import { sessionState, userOfPage } from '../api/login-session.ts';
import { forgetHandle, keepHandle, type LocalFile, openHandle, recallHandle } from './file-handles.ts';
import { adoptTransfers, createId, type RememberedTransfer, rememberTransfers } from './remembered-transfers.ts';
import { discardUpload, type RunningUpload, startUpload } from './start-upload.ts';
import type { Transfer } from './transfer.ts';

/** Uploads at the same time: more would share the same connection to the server. */
const runningAtMost = 3;

/** All transfers of this page, which are those of one user, in the order in which they were added. */
export const transfers = createStore<readonly Transfer[]>([]);

/** The contents, and the uploads that run: they do not outlive the page. */
const contents = new Map<string, File>();
const running = new Map<string, RunningUpload>();
const storedListeners = new Set<(folder: string) => void>();

// As soon as the server has said whose page this is, which happens once.
const unsubscribe = userOfPage.subscribe(() => {
  unsubscribe();
  adoptTransfers(userOfPage.get() ?? '', adopt);
});

sessionState.subscribe(() => {
  if (sessionState.get() === 'open') queueMicrotask(startWaiting);
  if (sessionState.get() === 'closed') suspendAll();
});

function adopt(adopted: readonly RememberedTransfer[]): void {
  const interrupted = adopted.map(({ isPaused: _paused, page: _page, ...transfer }): Transfer => ({
    ...transfer,
    state: 'interrupted',
    sentBytes: 0,
    bytesPerSecond: 0,
  }));
  replace([...transfers.get(), ...interrupted]);
  for (const { id, isPaused } of adopted) void findAgain(id, isPaused);
}

/** A file to upload, and the folder that it goes to. */
export interface FileToUpload extends LocalFile {
  readonly folder: string;
}

/** Adds files to the queue. */
export function addTransfers(files: readonly FileToUpload[]): void {
  const added = files.map(({ folder, file, handle }): Transfer => {
    const id = createId();
    contents.set(id, file);
    if (handle !== undefined) void keepHandle(id, handle);
    const { name, size, lastModified } = file;
    const start = { state: 'waiting', sentBytes: 0, bytesPerSecond: 0, overwrites: false } as const;
    return { id, folder, name, size, lastModified, ...start };
  });
  replace([...transfers.get(), ...added]);
}

/** Continues a transfer of an earlier page by itself, if the browser knows where the file is and may still read it. */
async function findAgain(id: string, isPaused: boolean): Promise<void> {
  const handle = await recallHandle(id);
  if (handle === undefined) return;
  const file = await openHandle(handle, false);
  if (file === undefined) change(id, { hasHandle: true });
  else if (continueWith(id, file) && isPaused) pauseTransfer(id);
}

/** Asks to be allowed to read the file of an interrupted transfer, and continues it. Returns false if it is another file. */
export async function continueFromHandle(id: string): Promise<boolean> {
  const handle = await recallHandle(id);
  const file = handle && (await openHandle(handle, true));
  if (file !== undefined) return continueWith(id, file);
  // It is gone, or the user refuses: the user chooses it.
  change(id, { hasHandle: false });
  return true;
}

/** Calls back with the folder whenever a file has been stored; returns what ends this. */
export function onStored(listener: (folder: string) => void): () => void {
  storedListeners.add(listener);
  return () => storedListeners.delete(listener);
}

/** Continues an interrupted transfer with the file that was chosen again. Returns false if it is another file. */
export function continueWith(id: string, file: File): boolean {
  const transfer = transfers.get().find((known) => known.id === id);
  if (transfer?.name !== file.name || transfer.size !== file.size || transfer.lastModified !== file.lastModified)
    return false;
  contents.set(id, file);
  change(id, { state: 'waiting' });
  return true;
}

/** Stops sending; what has arrived is kept, and `resumeTransfer` continues there. */
export function pauseTransfer(id: string): void {
  void running.get(id)?.pause();
  running.delete(id);
  change(id, { state: 'paused', bytesPerSecond: 0 });
}

/** Continues a transfer, or tries it again; `overwrites` lets it replace a file of that name. */
export function resumeTransfer(id: string, changes: Partial<Pick<Transfer, 'overwrites'>> = {}): void {
  change(id, { state: contents.has(id) ? 'waiting' : 'interrupted', ...changes });
}

/** Takes a transfer off the list; what has arrived of an unfinished one is discarded. */
export function discardTransfer(id: string): void {
  const discarded = transfers.get().find((transfer) => transfer.id === id);
  const stopped = running.get(id)?.pause();
  running.delete(id);
  contents.delete(id);
  void forgetHandle(id);
  replace(transfers.get().filter((transfer) => transfer.id !== id));
  if (discarded !== undefined && discarded.state !== 'stored')
    void Promise.resolve(stopped).then(() => discardUpload(discarded));
}

/** Whether something is being sent. */
export function isUploading(): boolean {
  return running.size > 0;
}

/** Lets the waiting transfers start, if there is a session. */
function startWaiting(): void {
  if (sessionState.get() !== 'open') return;
  for (const transfer of transfers.get()) {
    if (running.size >= runningAtMost) return;
    const file = contents.get(transfer.id);
    if (transfer.state === 'waiting' && file !== undefined) start(transfer, file);
  }
}

/** The session ended: the transfers go on after the next login of their user. */
function suspendAll(): void {
  for (const upload of running.values()) void upload.pause();
  const suspended = new Set(running.keys());
  running.clear();
  replace(
    transfers
      .get()
      .map((known) => (suspended.has(known.id) ? { ...known, state: 'waiting', bytesPerSecond: 0 } : known)),
  );
}

function start(transfer: Transfer, file: File): void {
  const { id, folder } = transfer;
  running.set(id, startUpload(transfer, file, { progressed: (progress) => change(id, progress), stored, failed }));
  change(id, { state: 'running' });

  function stored(): void {
    running.delete(id);
    contents.delete(id);
    void forgetHandle(id);
    change(id, { state: 'stored', sentBytes: transfer.size, bytesPerSecond: 0 });
    for (const listener of storedListeners) listener(folder);
  }
  function failed(failure: NonNullable<Transfer['failure']>): void {
    running.delete(id);
    change(id, { state: 'failed', failure, bytesPerSecond: 0 });
  }
}

function change(id: string, changes: Partial<Transfer>): void {
  replace(transfers.get().map((transfer) => (transfer.id === id ? { ...transfer, ...changes } : transfer)));
}

function replace(next: readonly Transfer[]): void {
  const states = (all: readonly Transfer[]): string => all.map(({ id, state }) => `${id}${state}`).join();
  const before = states(transfers.get());
  transfers.set(next);
  if (states(next) === before) return;
  rememberTransfers(userOfPage.get() ?? '', next);
  queueMicrotask(startWaiting);
}
