import { userOfPage } from '../api/login-session.ts';
import { forgetHandles, openHandle, recallHandles } from './file-handles.ts';
import { adoptTransfers, forgetTransfers, type RememberedTransfer } from './remembered-transfers.ts';
import { pauseTransfers, resumeTransfers } from './transfer-queue.ts';
import { changeTransfers, contents, findTransfer, findUnfinished, putTransfers } from './transfer-store.ts';
import type { Transfer } from './transfer.ts';

// As soon as the server has said whose page this is, which happens once.
const unsubscribe = userOfPage.subscribe(() => {
  unsubscribe();
  adoptTransfers(userOfPage.get() ?? '', adopt);
});

/** What had failed has still failed, for the same reason. What this page uploads itself is not on its list twice. */
function adopt(orphans: readonly RememberedTransfer[]): void {
  const adopted = orphans.filter((transfer) => findUnfinished(transfer) === undefined);
  const others = orphans.flatMap((transfer) => (findUnfinished(transfer) === undefined ? [] : transfer.id));
  forgetTransfers(others);
  void forgetHandles(others);
  const interrupted = adopted.map(({ isPaused: _paused, page: _page, user: _user, ...transfer }): Transfer => ({
    ...transfer,
    state: transfer.failure === undefined ? 'interrupted' : 'failed',
    sentBytes: 0,
    bytesPerSecond: 0,
  }));
  putTransfers(interrupted);
  for (const { id, isPaused } of adopted) void findAgain(id, isPaused);
}

/**
 * Continues a transfer of an earlier page by itself, if the browser knows where the file is and may still read it. One that failed
 * waits until the user acts.
 */
async function findAgain(id: string, isPaused: boolean): Promise<void> {
  const handles = await recallHandles(id);
  if (handles === undefined) return;
  const file = await openHandle(handles, false);
  if (!(file instanceof File)) changeTransfers([id], { hasHandle: true });
  else if (continueWith(id, file) && isPaused) pauseTransfers([id]);
}

/**
 * Asks to be allowed to read the files of interrupted transfers, and continues them. The browser asks once for all files of one
 * folder. Where the user answers nothing, everything stays as it is.
 */
export async function continueFromHandles(ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const handles = await recallHandles(id);
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
