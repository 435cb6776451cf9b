import { readdir, readFile, writeFile } from 'node:fs/promises';

/** Memory that processes have in RAM (RSS), in MiB. Threads are part of their process. */
export interface ResidentMemory {
  /** Now. */
  readonly now: number;
  /** At most, since `forgetPeak`: the kernel counts it, so that no moment is missed. */
  readonly peak: number;
}

/** The memory of a process and of those that it has started. */
export async function memoryOf(pid: number): Promise<ResidentMemory> {
  const parts = await Promise.all((await treeOf(pid)).map(memoryOfOne));
  return {
    now: parts.reduce((sum, { now }) => sum + now, 0),
    peak: parts.reduce((sum, { peak }) => sum + peak, 0),
  };
}

/** The peak of the process is what it has now. */
export async function forgetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5');
}

async function memoryOfOne(pid: number): Promise<ResidentMemory> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const read = (field: string): number =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'mu').exec(status)?.[1] ?? 0) / 1_024;
  return { now: read('VmRSS'), peak: read('VmHWM') };
}

async function treeOf(root: number): Promise<number[]> {
  const tree = [root];
  for (const pid of tree) {
    const tasks = await readdir(`/proc/${pid}/task`).catch(() => []);
    for (const task of tasks) {
      const children = await readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => '');
      tree.push(...children.split(' ').filter(Boolean).map(Number));
    }
  }
  return tree;
}
