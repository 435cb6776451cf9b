import { readdir, readFile } from 'node:fs/promises';

/** The ids of a process and all its descendants. */
export async function processesOfTree(rootPid: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
    parents.set(pid, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
  }
  const belongs = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === rootPid || belongs(parents.get(pid)));
  return [...parents.keys()].filter(belongs);
}

/** The memory of a process and all its descendants in bytes: their proportional set size (`proc(5)`, smaps_rollup). */
export async function memoryOfTree(rootPid: number): Promise<number> {
  const sizes = await Promise.all((await processesOfTree(rootPid)).map(proportionalSetSize));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function proportionalSetSize(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'latin1').catch(() => '');
  return Number(/^Pss:\s+(\d+) kB$/mu.exec(rollup)?.[1] ?? 0) * 1024;
}
