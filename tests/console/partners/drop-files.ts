import type { Page } from 'playwright-core';

/** Drags a local file or folder over the list, as the system does. Returns what drops it: the page gets true entries of the file system. */
export async function dragOver(page: Page, path: string): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  const box = await page.getByRole('grid').boundingBox();
  const [x, y] = [(box?.x ?? 0) + 200, (box?.y ?? 0) + 100];
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  const send = async (type: 'dragEnter' | 'dragOver' | 'drop'): Promise<void> => {
    await session.send('Input.dispatchDragEvent', { type, x, y, data });
  };
  await send('dragEnter');
  await send('dragOver');
  return () => send('drop');
}

/** Drops a local file or folder on the list. */
export async function drop(page: Page, path: string): Promise<void> {
  await (
    await dragOver(page, path)
  )();
}
