import { createStore } from '../../page-kit/create-store.ts';
import { forgetOwnTransfers, rememberTransfer } from './remembered-transfers.ts';
import type { Transfer, TransferState } from './transfer.ts';

/** The contents by the ids of the transfers: they do not outlive the page. */
export const contents = new Map<string, File>();

/** Changes with the transfers, at most this often: with each change, the page would be busy with nothing else. */
export const transfersVersion = createStore(0);
const showEveryMs = 200;

/** All transfers of this page, which are those of one user, by their ids, and those in each state in the order in which they got into it. */
const all = new Map<string, Transfer>();
const inState: Readonly<Record<TransferState, Map<string, Transfer>>> = {
  running: new Map(),
  paused: new Map(),
  failed: new Map(),
  interrupted: new Map(),
  waiting: new Map(),
  elsewhere: new Map(),
  stored: new Map(),
};
/** The bytes of the transfers in each state. */
const bytesByState = new Map<TransferState, { readonly size: number; readonly sent: number }>();
/** The places of the transfers in the order in which they were added. */
const places = new Map<string, number>();
let lastPlace = 0;
/** The ids of unfinished transfers by what tells their files apart. */
const unfinished = new Map<string, string>();

const listeners = new Set<() => void>();
let isShowing = false;
let shownAtMs = 0;

/** Calls back after transfers were added, removed, or got another state. */
export function onStates(listener: () => void): void {
  listeners.add(listener);
}

/** A transfer of this page. */
export function findTransfer(id: string): Transfer | undefined {
  return all.get(id);
}

/** The unfinished transfer of a file to a folder. */
export function findUnfinished(file: Identity): Transfer | undefined {
  return all.get(unfinished.get(identityOf(file)) ?? '');
}

/** The place of a transfer in the order in which they were added. */
export function placeOf({ id }: Transfer): number {
  return places.get(id) ?? 0;
}

/** The transfers in some states. */
export function transfersIn(...states: readonly TransferState[]): Iterable<Transfer> {
  return {
    *[Symbol.iterator]() {
      for (const state of states) yield* inState[state].values();
    },
  };
}

/** How many transfers are in some states. */
export function countIn(...states: readonly TransferState[]): number {
  return states.reduce((count, state) => count + inState[state].size, 0);
}

/** The bytes of all transfers in some states: of their files, and of what has been sent. */
export function bytesIn(...states: readonly TransferState[]): { readonly size: number; readonly sent: number } {
  const bytes = states.map((state) => bytesByState.get(state) ?? { size: 0, sent: 0 });
  return {
    size: bytes.reduce((sum, { size }) => sum + size, 0),
    sent: bytes.reduce((sum, { sent }) => sum + sent, 0),
  };
}

/** Adds transfers at the end of the list. */
export function putTransfers(added: readonly Transfer[]): void {
  for (const transfer of added) put(transfer);
  if (added.length > 0) announce(true);
}

/** Changes some transfers at once. */
export function changeTransfers(ids: Iterable<string>, changes: Partial<Transfer>): void {
  let [isChanged, isOtherState] = [false, false];
  for (const id of ids) {
    const before = all.get(id);
    if (before === undefined) continue;
    isChanged = true;
    isOtherState ||= changes.state !== undefined && changes.state !== before.state;
    put({ ...before, ...changes });
  }
  if (isChanged) announce(isOtherState);
}

/** Takes transfers off the list. */
export function removeTransfers(ids: readonly string[]): void {
  for (const id of ids) {
    const transfer = all.get(id);
    if (transfer === undefined) continue;
    inState[transfer.state].delete(id);
    count(transfer, -1);
    if (transfer.state !== 'stored') forgetUnfinished(transfer);
    all.delete(id);
    places.delete(id);
  }
  forgetOwnTransfers(ids);
  announce(true);
}

function put(transfer: Transfer): void {
  const { id, state } = transfer;
  const before = all.get(id);
  if (before === undefined) places.set(id, (lastPlace += 1));
  else count(before, -1);
  all.set(id, transfer);
  if (before !== undefined && before.state !== state) inState[before.state].delete(id);
  // In the same state, it keeps its place.
  inState[state].set(id, transfer);
  count(transfer, 1);
  if (before?.state === state && before.failure === transfer.failure && before.overwrites === transfer.overwrites)
    return;
  if (state === 'stored') forgetUnfinished(transfer);
  else if (before === undefined || before.state === 'stored') unfinished.set(identityOf(transfer), id);
  rememberTransfer(transfer);
}

function forgetUnfinished(transfer: Transfer): void {
  const identity = identityOf(transfer);
  if (unfinished.get(identity) === transfer.id) unfinished.delete(identity);
}

function count({ state, size, sentBytes }: Transfer, sign: 1 | -1): void {
  const before = bytesByState.get(state) ?? { size: 0, sent: 0 };
  bytesByState.set(state, { size: before.size + sign * size, sent: before.sent + sign * sentBytes });
}

/** Tells the queue at once, and the page as soon as it has shown the last change for a while. */
function announce(areStates: boolean): void {
  if (areStates) for (const listener of listeners) listener();
  if (isShowing) return;
  isShowing = true;
  setTimeout(show, Math.max(0, shownAtMs + showEveryMs - performance.now()));
}

function show(): void {
  isShowing = false;
  shownAtMs = performance.now();
  transfersVersion.set(transfersVersion.get() + 1);
}

/** What tells files apart, here and in the place that they go to. */
type Identity = Pick<Transfer, 'folder' | 'name' | 'size' | 'lastModified'>;

function identityOf({ folder, name, size, lastModified }: Identity): string {
  return JSON.stringify([folder, name, size, lastModified]);
}
