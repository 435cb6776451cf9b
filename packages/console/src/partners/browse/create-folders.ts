import { ensureFolder } from '../api/elements.ts';

/** Requests at the same time: a browser has six connections to a server, and the page itself needs some. */
const createdAtOnce = 3;

/** Creates folders with those above them, below a folder that exists. Folders that exist take part as they are. */
export async function createFolders(
  paths: readonly string[],
  existing: string,
  { signal, created }: { readonly signal: AbortSignal; readonly created: (done: number, all: number) => void },
): Promise<void> {
  const folders = foldersOf(paths, existing);
  const all = folders.size;
  let done = 0;
  // Each level needs the one above it.
  for (const level of Map.groupBy(folders, (path) => path.split('/').length).values()) {
    const left = level.values();
    const createSome = async (): Promise<void> => {
      for (const path of left) {
        signal.throwIfAborted();
        await createNamed(path);
        done += 1;
        created(done, all);
      }
    };
    await Promise.all(Array.from({ length: createdAtOnce }, createSome));
  }
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
function foldersOf(paths: readonly string[], existing: string): Set<string> {
  const root = existing.replace(/\/$/u, '');
  const folders = new Set<string>();
  const add = (path: string): void => {
    if (path.length <= root.length || folders.has(path)) return;
    add(path.slice(0, path.lastIndexOf('/')));
    folders.add(path);
  };
  for (const path of paths) add(path);
  return folders;
}
