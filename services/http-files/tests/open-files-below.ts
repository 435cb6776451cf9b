import { readdir, readlink } from 'node:fs/promises';

/** What this process, in which the peers of a test run, has open below a folder. */
export async function openFilesBelow(folder: string): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd');
  // One that is closed meanwhile leads nowhere.
  const paths = await Promise.all(descriptors.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return paths.filter((path) => path.startsWith(`${folder}/`));
}
