import { createStore } from '../../page-kit/create-store.ts';
import { userOfPage } from '../api/login-session.ts';
import { rememberTransfers } from './remembered-transfers.ts';
import type { Transfer } from './transfer.ts';

/** All transfers of this page, which are those of one user, in the order in which they were added. */
export const transfers = createStore<readonly Transfer[]>([]);

/** The contents by the ids of the transfers: they do not outlive the page. */
export const contents = new Map<string, File>();

const listeners = new Set<() => void>();

/** Calls back after transfers were added, removed, or got another state. */
export function onStates(listener: () => void): void {
  listeners.add(listener);
}

/** Changes some transfers at once. */
export function changeTransfers(ids: Iterable<string>, changes: Partial<Transfer>): void {
  const changed = new Set(ids);
  replaceTransfers(
    transfers.get().map((transfer) => (changed.has(transfer.id) ? { ...transfer, ...changes } : transfer)),
  );
}

/** Replaces the list, and remembers it if more than the progress differs. */
export function replaceTransfers(next: readonly Transfer[]): void {
  const states = (all: readonly Transfer[]): string => all.map(({ id, state }) => `${id}${state}`).join();
  const before = states(transfers.get());
  transfers.set(next);
  if (states(next) === before) return;
  rememberTransfers(userOfPage.get() ?? '', next);
  for (const listener of listeners) listener();
}
