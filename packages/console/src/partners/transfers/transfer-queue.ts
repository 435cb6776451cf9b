import { sessionState } from '../api/login-session.ts';
import { forgetHandle, keepHandle, type LocalFile } from './file-handles.ts';
import { createId } from './remembered-transfers.ts';
import { discardUpload, type RunningUpload, startUpload } from './start-upload.ts';
import { changeTransfers, contents, onStates, replaceTransfers, transfers } from './transfer-store.ts';
import type { Transfer } from './transfer.ts';

/** Uploads at the same time: more would share the same connection to the server. */
const runningAtMost = 3;

const running = new Map<string, RunningUpload>();
const storedListeners = new Set<(folder: string) => void>();

onStates(() => queueMicrotask(startWaiting));

sessionState.subscribe(() => {
  if (sessionState.get() === 'open') queueMicrotask(startWaiting);
  if (sessionState.get() === 'closed') suspendAll();
});

/** A file to upload, and the folder that it goes to. */
export interface FileToUpload extends LocalFile {
  readonly folder: string;
}

/**
 * Adds files to the queue. A file that is in it already, and is not stored, is not added again: what was interrupted, paused or
 * failed of it goes on.
 */
export function addTransfers(files: readonly FileToUpload[]): void {
  const unfinished = transfers.get().filter(({ state }) => state !== 'stored');
  const known = new Map(unfinished.map((transfer) => [identityOf(transfer), transfer]));
  const added: Transfer[] = [];
  const continued: string[] = [];
  for (const { folder, file, ...handles } of files) {
    const { name, size, lastModified } = file;
    const same = known.get(identityOf({ folder, name, size, lastModified }));
    const id = same?.id ?? createId();
    contents.set(id, file);
    void keepHandle(id, handles);
    const start = { state: 'waiting', sentBytes: 0, bytesPerSecond: 0, overwrites: false } as const;
    if (same === undefined) added.push({ id, folder, name, size, lastModified, ...start });
    else if (same.state !== 'running') continued.push(id);
  }
  replaceTransfers([...transfers.get(), ...added]);
  resumeTransfers(continued);
}

/** What tells files apart, here and in the place that they go to. */
function identityOf({ folder, name, size, lastModified }: Pick<Transfer, 'folder' | 'name' | 'size' | 'lastModified'>) {
  return JSON.stringify([folder, name, size, lastModified]);
}

/** Calls back with the folder whenever a file has been stored; returns what ends this. */
export function onStored(listener: (folder: string) => void): () => void {
  storedListeners.add(listener);
  return () => storedListeners.delete(listener);
}

/** Stops sending; what has arrived is kept, and `resumeTransfers` continues there. */
export function pauseTransfers(ids: readonly string[]): void {
  for (const id of ids) void stop(id);
  changeTransfers(ids, { state: 'paused', bytesPerSecond: 0 });
}

/** Continues transfers, or tries them again; `overwrites` lets them replace files of their names. Without a content, they are interrupted. */
export function resumeTransfers(ids: readonly string[], changes: Partial<Pick<Transfer, 'overwrites'>> = {}): void {
  const [readable, others] = [ids.filter((id) => contents.has(id)), ids.filter((id) => !contents.has(id))];
  changeTransfers(readable, { state: 'waiting', failure: undefined, isOther: false, ...changes });
  changeTransfers(others, { state: 'interrupted', failure: undefined, ...changes });
}

/** Takes transfers off the list; what has arrived of unfinished ones is discarded. */
export function discardTransfers(ids: readonly string[]): void {
  const leaving = new Set(ids);
  const discarded = transfers.get().filter(({ id }) => leaving.has(id));
  const stopped = ids.map(stop);
  for (const id of ids) {
    contents.delete(id);
    void forgetHandle(id);
  }
  replaceTransfers(transfers.get().filter(({ id }) => !leaving.has(id)));
  void Promise.all(stopped).then(async () => {
    for (const transfer of discarded) if (transfer.state !== 'stored') await discardUpload(transfer);
  });
}

/** Whether something is being sent. */
export function isUploading(): boolean {
  return running.size > 0;
}

async function stop(id: string): Promise<void> {
  const upload = running.get(id);
  running.delete(id);
  await upload?.pause();
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
  const suspended = [...running.keys()];
  running.clear();
  changeTransfers(suspended, { state: 'waiting', bytesPerSecond: 0 });
}

function start(transfer: Transfer, file: File): void {
  const { id, folder } = transfer;
  const change = (changes: Partial<Transfer>): void => changeTransfers([id], changes);
  running.set(id, startUpload(transfer, file, { progressed: change, stored, failed }));
  change({ state: 'running' });

  function stored(): void {
    running.delete(id);
    contents.delete(id);
    void forgetHandle(id);
    change({ state: 'stored', sentBytes: transfer.size, bytesPerSecond: 0 });
    for (const listener of storedListeners) listener(folder);
  }
  function failed(failure: NonNullable<Transfer['failure']>): void {
    running.delete(id);
    change({ state: 'failed', failure, bytesPerSecond: 0 });
  }
}
