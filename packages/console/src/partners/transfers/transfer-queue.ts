import { sessionState } from '../api/login-session.ts';
import { forgetHandles, keepHandles, type LocalFile } from './file-handles.ts';
import { onStoredByTab, tellTabsStored, whenUnlocked } from './other-tabs.ts';
import { createId } from './remembered-transfers.ts';
import { discardUploads, type RunningUpload, startUpload } from './start-upload.ts';
import {
  changeTransfers,
  contents,
  findTransfer,
  findUnfinished,
  onStates,
  putTransfers,
  removeTransfers,
  transfersIn,
} from './transfer-store.ts';
import type { Transfer } from './transfer.ts';
import { eachInTurn } from './yield-to-browser.ts';

/** Uploads at the same time: more would share the same connection to the server. */
const runningAtMost = 3;

/** How often folders are read again into which files are being stored. */
const tellEveryMs = 1_000;

const running = new Map<string, RunningUpload>();
const storedListeners = new Set<(folder: string) => void>();

let isToStart = false;
onStates(() => {
  if (isToStart) return;
  isToStart = true;
  queueMicrotask(startWaiting);
});

sessionState.subscribe(() => {
  if (sessionState.get() === 'open') queueMicrotask(startWaiting);
  if (sessionState.get() === 'closed') suspendAll();
});

// Sending it once more would only ask whether it replaces itself, or deliver it twice where a job has taken it since.
onStoredByTab((upload) => {
  const transfer = findUnfinished(upload);
  if (transfer !== undefined && transfer.state !== 'running') finish(transfer);
});

/** A file to upload, and the folder that it goes to. */
export interface FileToUpload extends LocalFile {
  readonly folder: string;
}

/**
 * Adds files to the queue, in parts: many files do not stop the page. A file that is in it already, and is not stored, is not added
 * again: what was interrupted, paused or failed of it goes on.
 */
export async function addTransfers(files: readonly FileToUpload[]): Promise<void> {
  const continued: string[] = [];
  const handles = new Map<string, FileToUpload>();
  const add = (chosen: FileToUpload): void => {
    const { folder, file } = chosen;
    const { name, size, lastModified } = file;
    const place = { folder, name, size, lastModified };
    const same = findUnfinished(place);
    const id = same?.id ?? createId();
    contents.set(id, file);
    handles.set(id, chosen);
    const start = { state: 'waiting', sentBytes: 0, bytesPerSecond: 0, overwrites: false } as const;
    if (same === undefined) putTransfers([{ id, ...place, ...start }]);
    else if (same.state !== 'running') continued.push(id);
  };
  await eachInTurn(files, add, () => {
    resumeTransfers(continued.splice(0));
    void keepHandles(new Map(handles));
    handles.clear();
  });
}

/** Calls back with the folder when files have been stored; returns what ends this. */
export function onStored(listener: (folder: string) => void): () => void {
  storedListeners.add(listener);
  return () => storedListeners.delete(listener);
}

const toldFolders = new Set<string>();
let toldAtMs = 0;

/** Many small files are stored in a second: their folders are told together. */
function tellStored(folder: string): void {
  if (toldFolders.size === 0) setTimeout(tell, Math.max(0, toldAtMs + tellEveryMs - performance.now()));
  toldFolders.add(folder);

  function tell(): void {
    toldAtMs = performance.now();
    const folders = [...toldFolders];
    toldFolders.clear();
    for (const told of folders) for (const listener of storedListeners) listener(told);
  }
}

/** Stops sending; what has arrived is kept, and `resumeTransfers` continues there. */
export function pauseTransfers(ids: readonly string[]): void {
  for (const id of ids) if (running.has(id)) void stop(id);
  changeTransfers(ids, { state: 'paused', bytesPerSecond: 0, delay: undefined });
}

/** Continues transfers, or tries them again; `overwrites` lets them replace files of their names. Without a content, they are interrupted. */
export function resumeTransfers(ids: readonly string[], changes: Partial<Pick<Transfer, 'overwrites'>> = {}): void {
  const [readable, others] = [ids.filter((id) => contents.has(id)), ids.filter((id) => !contents.has(id))];
  changeTransfers(readable, { state: 'waiting', failure: undefined, isOther: false, ...changes });
  changeTransfers(others, { state: 'interrupted', failure: undefined, ...changes });
}

/** Takes transfers off the list; what has arrived of unfinished ones is discarded. */
export function discardTransfers(ids: readonly string[]): void {
  const unfinished = ids.flatMap((id) => findTransfer(id) ?? []).filter(({ state }) => state !== 'stored');
  const stopped = ids.filter((id) => running.has(id)).map(stop);
  for (const id of ids) contents.delete(id);
  void forgetHandles(unfinished.map(({ id }) => id));
  removeTransfers(ids);
  void Promise.all(stopped).then(() => discardUploads(unfinished));
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
  isToStart = false;
  if (sessionState.get() !== 'open') return;
  for (const transfer of transfersIn('waiting')) {
    if (running.size >= runningAtMost) return;
    const file = contents.get(transfer.id);
    if (file !== undefined) start(transfer, file);
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
  const { id } = transfer;
  const change = (changes: Partial<Transfer>): void => changeTransfers([id], changes);
  running.set(id, startUpload(transfer, file, { progressed: change, stored, failed, elsewhere }));
  change({ state: 'running' });

  function stored(): void {
    running.delete(id);
    finish(transfer);
    tellTabsStored(transfer);
  }
  function elsewhere(): void {
    running.delete(id);
    change({ state: 'elsewhere', bytesPerSecond: 0 });
    // What it finds then is an unfinished upload, which it continues, or a file of that name.
    const isWaiting = (): boolean => findTransfer(id)?.state === 'elsewhere';
    void whenUnlocked(transfer, isWaiting).then(() => {
      if (isWaiting()) change({ state: 'waiting' });
    });
  }
  function failed(failure: NonNullable<Transfer['failure']>): void {
    running.delete(id);
    change({ state: 'failed', failure, bytesPerSecond: 0, delay: undefined });
  }
}

function finish({ id, folder, size }: Transfer): void {
  contents.delete(id);
  void forgetHandles([id]);
  changeTransfers([id], { state: 'stored', sentBytes: size, bytesPerSecond: 0, failure: undefined, delay: undefined });
  tellStored(folder);
}
