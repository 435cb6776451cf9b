import { readFile } from 'node:fs/promises';
import { processesOfTree } from './processes-of-tree.ts';

/** The memory of a process and all its descendants in bytes: their proportional set size (`proc(5)`, smaps_rollup). */
export async function memoryOfTree(rootPid: number): Promise<number> {
  const sizes = await Promise.all((await processesOfTree(rootPid)).map(proportionalSetSize));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function proportionalSetSize(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'latin1').catch(() => '');
  return Number(/^Pss:\s+(\d+) kB$/mu.exec(rollup)?.[1] ?? 0) * 1024;
}
