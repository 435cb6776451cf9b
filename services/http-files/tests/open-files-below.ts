import { readdir, readlink } from 'node:fs/promises';

/** The open files below a folder, of this process, which runs the peers of a test. */
export async function openFilesBelow(folder: string): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd');
  // The link of a descriptor that is closed meanwhile cannot be read.
  const paths = await Promise.all(descriptors.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return paths.filter((path) => path.startsWith(`${folder}/`));
}
