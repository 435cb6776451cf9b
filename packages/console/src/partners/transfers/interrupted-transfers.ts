import { userOfPage } from '../api/login-session.ts';
import { forgetHandles, openHandle, recallHandles } from './file-handles.ts';
import { adoptTransfers, forgetTransfers, type RememberedTransfer } from './remembered-transfers.ts';
import { pauseTransfers, resumeTransfers } from './transfer-queue.ts';
import { changeTransfers, contents, findTransfer, findUnfinished, putTransfers } from './transfer-store.ts';
import type { Transfer } from './transfer.ts';
import { createPauses, eachInTurn } from './yield-to-browser.ts';

// As soon as the server has said whose page this is, which happens once.
const unsubscribe = userOfPage.subscribe(() => {
  unsubscribe();
  adoptTransfers(userOfPage.get() ?? '', adopt);
});

/** Files that are looked for at the same time. */
const soughtAtOnce = 50;

/** What had failed has still failed, for the same reason. What this page uploads itself is not on its list twice. There may be very many. */
async function adopt(orphans: readonly RememberedTransfer[]): Promise<void> {
  const others: string[] = [];
  const paused = new Set<string>();
  const adopted: string[] = [];
  const add = ({ isPaused, page: _page, user: _user, ...transfer }: RememberedTransfer): void => {
    const isListed = findUnfinished(transfer) !== undefined;
    (isListed ? others : adopted).push(transfer.id);
    if (isListed) return;
    const state = transfer.failure === undefined ? 'interrupted' : 'failed';
    putTransfers([{ ...transfer, state, sentBytes: 0, bytesPerSecond: 0 }]);
    if (isPaused) paused.add(transfer.id);
  };
  await eachInTurn(orphans, add, () => undefined);
  forgetTransfers(others);
  void forgetHandles(others);
  void findAgain(adopted, paused);
}

/**
 * Continues transfers of an earlier page by themselves, if the browser knows where their files are and may still read them. Those that
 * failed wait until the user acts.
 */
async function findAgain(ids: readonly string[], paused: ReadonlySet<string>): Promise<void> {
  const pauseIfBusy = createPauses();
  for (let first = 0; first < ids.length; first += soughtAtOnce) {
    const some = ids.slice(first, first + soughtAtOnce);
    const handles = await recallHandles(some);
    const files = await Promise.all(handles.map(async (one) => one && openHandle(one, false)));
    for (const [index, id] of some.entries()) {
      const file = files[index];
      if (handles[index] === undefined) continue;
      if (!(file instanceof File)) changeTransfers([id], { hasHandle: true });
      else if (continueWith(id, file) && paused.has(id)) pauseTransfers([id]);
      await pauseIfBusy();
    }
  }
}

/**
 * Asks to be allowed to read the files of interrupted transfers, and continues them. The browser asks once for all files of one
 * folder. Where the user answers nothing, everything stays as it is.
 */
export async function continueFromHandles(ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const [handles] = await recallHandles([id]);
    const file = handles && (await openHandle(handles, true));
    if (file === 'unanswered') return;
    if (file !== undefined) continueWith(id, file);
    // It is gone, or the user refuses: the user chooses it.
    else changeTransfers([id], { hasHandle: false });
  }
}

/** Tries failed transfers again, also those of an earlier page; `overwrites` lets them replace files of their names. */
export async function retryTransfers(
  ids: readonly string[],
  changes: Partial<Pick<Transfer, 'overwrites'>> = {},
): Promise<void> {
  resumeTransfers(ids, changes);
  const toAllow = ids
    .flatMap((id) => findTransfer(id) ?? [])
    .filter(({ state, hasHandle }) => state === 'interrupted' && hasHandle === true);
  await continueFromHandles(toAllow.map(({ id }) => id));
}

/** Continues an interrupted transfer with the file that was chosen again. Returns false if it is another file, which the transfer states then. */
export function continueWith(id: string, file: File): boolean {
  const transfer = findTransfer(id);
  if (transfer?.name !== file.name || transfer.size !== file.size || transfer.lastModified !== file.lastModified) {
    changeTransfers([id], { isOther: true, hasHandle: false });
    return false;
  }
  contents.set(id, file);
  if (transfer.state === 'interrupted') resumeTransfers([id]);
  return true;
}
