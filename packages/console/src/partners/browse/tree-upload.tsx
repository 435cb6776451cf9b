import { useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { texts } from '../texts.ts';
import type { DroppedFiles, ReadOptions } from '../transfers/dropped-files.ts';
import { addTransfers } from '../transfers/transfer-queue.ts';
import { createFolders } from './create-folders.ts';
import { useRefresh } from './use-listing.ts';

/** An upload of files with their folders, up to the moment when all of them wait in the queue. */
export interface TreeUpload {
  /** How far its reading is, or the creation of its folders; undefined when neither goes on. */
  readonly progress: string | undefined;
  /** Why nothing of the last tree was uploaded, as long as its folder is shown. */
  readonly failure: string | undefined;
  /** Ends the reading, or the creation of folders: no file is uploaded. */
  readonly stop: () => void;
  /** The user has read the failure. */
  readonly dismiss: () => void;
  /** Reads the whole tree, creates its folders and then adds its files to the queue. */
  upload(read: (options: ReadOptions) => Promise<DroppedFiles>): void;
}

/** How often the number of created folders is shown. */
const showEveryMs = 200;

/** Uploads trees into a folder. Folders that exist already take part as they are. */
export function useTreeUpload(folder: string): TreeUpload {
  const refresh = useRefresh();
  const [progress, setProgress] = useState<string>();
  const [failed, setFailed] = useState<{ readonly folder: string; readonly reason: string }>();
  const running = useRef(new Set<AbortController>());
  const stop = (): void => {
    for (const one of running.current) one.abort();
    focusFiles();
  };
  const dismiss = (): void => {
    setFailed(undefined);
    focusFiles();
  };
  const add = async (read: Parameters<TreeUpload['upload']>[0], signal: AbortSignal): Promise<void> => {
    const found: ReadOptions['found'] = ({ files: count, folders, foundFolders }) =>
      setProgress(texts.reading(count, folders, foundFolders));
    const { files, emptyFolders } = await read({ signal, found });
    let shownAtMs = 0;
    const created = (done: number, all: number): void => {
      if (performance.now() - shownAtMs < showEveryMs) return;
      shownAtMs = performance.now();
      setProgress(texts.creatingFolders(done, all));
    };
    const paths = new Set([...files.map((file) => file.folder), ...emptyFolders]);
    try {
      await createFolders([...paths], folder, { signal, created });
    } finally {
      void refresh(folder);
    }
    setProgress(undefined);
    await addTransfers(files);
  };
  const upload: TreeUpload['upload'] = (read) => {
    const controller = new AbortController();
    running.current.add(controller);
    setProgress(texts.reading(0, 0, 0));
    setFailed(undefined);
    add(read, controller.signal)
      .catch((error: unknown) => {
        if (controller.signal.aborted) return;
        setFailed({ folder, reason: error instanceof Error ? error.message : String(error) });
      })
      .finally(() => {
        running.current.delete(controller);
        if (running.current.size === 0) setProgress(undefined);
      });
  };
  const failure = failed?.folder === folder ? texts.nothingUploaded(failed.reason) : undefined;
  return { progress, failure, stop, dismiss, upload };
}

/** The button that was pressed is gone then. */
function focusFiles(): void {
  document.querySelector<HTMLElement>('#files')?.focus();
}

/** How far the reading is, or why it failed. */
export function TreeUploadState({ progress, failure, stop, dismiss }: Omit<TreeUpload, 'upload'>) {
  return (
    <>
      {progress !== undefined && (
        <p className="dismissible">
          <span role="status">{progress}</span>{' '}
          <Button className="button" onPress={stop}>
            {texts.stopReading}
          </Button>
        </p>
      )}
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
