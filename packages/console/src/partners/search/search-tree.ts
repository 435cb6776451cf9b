import type { FileElement } from '@waybill/contracts/endpoints/files/elements/file-element';
import { findElements, listSubfolders } from '../api/elements.ts';

/** How far a search is. */
export interface SearchState {
  readonly found: readonly FileElement[];
  /** Folders that have been searched. */
  readonly folders: number;
  /** Folders that could not be searched, with the reason. */
  readonly failures: readonly { readonly path: string; readonly reason: string }[];
  readonly status: 'running' | 'complete' | 'too-many';
}

/** Folders that are searched at the same time. */
const atOnce = 4;

/** A search ends when it has found this many elements. */
export const mostFound = 1_000;

/**
 * Searches a folder and everything below it, nearest folders first, with the requests that list folders: so it finds what
 * the user may list, and nothing else. `report` gets the state after each folder.
 */
export async function searchTree(
  { path, pattern }: { readonly path: string; readonly pattern: string },
  report: (state: SearchState) => void,
  signal: AbortSignal,
): Promise<void> {
  const found: FileElement[] = [];
  const failures: { path: string; reason: string }[] = [];
  const pending = [path];
  let folders = 0;
  const tell = (status: SearchState['status']): void => {
    if (!signal.aborted) report({ found: found.slice(0, mostFound), folders, failures: [...failures], status });
  };
  const search = async (folder: string): Promise<void> => {
    try {
      const [matches, below] = await Promise.all([
        findElements(folder, pattern, mostFound, signal),
        listSubfolders(folder, signal),
      ]);
      found.push(...matches);
      pending.push(...below);
    } catch (error) {
      failures.push({ path: folder, reason: error instanceof Error ? error.message : String(error) });
    }
    folders += 1;
    tell('running');
  };
  while (pending.length > 0 && found.length < mostFound && !signal.aborted)
    await Promise.all(pending.splice(0, atOnce).map(search));
  tell(found.length < mostFound ? 'complete' : 'too-many');
}
