import { useState } from 'react';
import { Button } from 'react-aria-components';
import { ensureFolder } from '../api/elements.ts';
import { texts } from '../texts.ts';
import type { DroppedFiles } from '../transfers/dropped-files.ts';
import { addTransfers } from '../transfers/transfer-queue.ts';
import { useRefresh } from './use-listing.ts';

/** An upload of files with their folders, up to the moment when all of them wait in the queue. */
export interface TreeUpload {
  /** The files read so far; undefined when nothing is being read. */
  readonly found: number | undefined;
  /** Why nothing of the last tree was uploaded, as long as its folder is shown. */
  readonly failure: string | undefined;
  /** The user has read the failure. */
  readonly dismiss: () => void;
  /** Reads the whole tree, creates its folders and then adds its files to the queue. */
  upload(read: (report: (count: number) => void) => Promise<DroppedFiles>): void;
}

/** Uploads trees into a folder. Folders that exist already take part as they are. */
export function useTreeUpload(folder: string): TreeUpload {
  const refresh = useRefresh();
  const [found, setFound] = useState<number>();
  const [failed, setFailed] = useState<{ readonly folder: string; readonly reason: string }>();
  const dismiss = (): void => {
    setFailed(undefined);
    // The button that was pressed is gone then.
    document.querySelector<HTMLElement>('#files')?.focus();
  };
  const take: TreeUpload['upload'] = (read) => {
    setFound(0);
    setFailed(undefined);
    read(setFound)
      .then(async ({ files, emptyFolders }) => {
        const folders = foldersOf([...files.map((file) => file.folder), ...emptyFolders], folder);
        for (const path of folders) await createNamed(path);
        if (folders.length > 0) void refresh(folder);
        await addTransfers(files);
      })
      .catch((error: unknown) => setFailed({ folder, reason: error instanceof Error ? error.message : String(error) }))
      .finally(() => setFound(undefined));
  };
  const failure = failed?.folder === folder ? texts.nothingUploaded(failed.reason) : undefined;
  return { found, failure, dismiss, upload: take };
}

/** How far the reading is, or why it failed. */
export function TreeUploadState({ found, failure, dismiss }: Pick<TreeUpload, 'found' | 'failure' | 'dismiss'>) {
  return (
    <>
      {found !== undefined && <p role="status">{texts.reading(found)}</p>}
      {failure !== undefined && (
        <p className="dismissible">
          <span className="failure" role="alert">
            {failure}
          </span>{' '}
          <Button className="button" onPress={dismiss}>
            {texts.close}
          </Button>
        </p>
      )}
    </>
  );
}

/** @throws Error that names the folder which cannot be created, and says why */
async function createNamed(path: string): Promise<void> {
  try {
    await ensureFolder(path);
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** The folders that must exist besides `existing`, each after its parent. */
function foldersOf(paths: readonly string[], existing: string): string[] {
  const folders = new Set<string>();
  for (const path of new Set(paths)) {
    const names = path.split('/').filter((name) => name !== '');
    for (const [index] of names.entries()) folders.add(`/${names.slice(0, index + 1).join('/')}`);
  }
  return [...folders].filter((path) => path !== existing && !`${existing}/`.startsWith(`${path}/`)).toSorted();
}
