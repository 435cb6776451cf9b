import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { pauseProcess } from '../src/processes/pause-process.ts';

it('stops a process whose children come and go', async () => {
  const child = spawn('/bin/sh', ['-c', 'while :; do /bin/true & /bin/true; done'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const pid = child.pid ?? Number.NaN;
  try {
    for (let round = 0; round < 300; round++) {
      pauseProcess(pid, true);
      await expect.poll(() => stateOf(pid), { interval: 1 }).toMatch(/[TD]/u);
      pauseProcess(pid, false);
    }
    expect(stateOf(pid)).not.toBe('T');
  } finally {
    child.kill('SIGKILL');
  }
});

it('says that a process does not exist', () => {
  expect(() => pauseProcess(2 ** 30, true)).toThrow('ESRCH');
});

/** The letter of proc(5): `T` is stopped, and `D` waits here for a child that was stopped before its exec. */
function stateOf(pid: number): string | undefined {
  return /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
}
