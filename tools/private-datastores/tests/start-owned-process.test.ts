import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identifyProcess } from '@waybill/private-datastores/process-identity';
import { startOwnedProcess } from '@waybill/private-datastores/start-owned-process';
import { stopLeftover } from '@waybill/private-datastores/stop-leftover';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

describe('startOwnedProcess', () => {
  let folder: string;
  const options = () => ({
    command: ['sleep', '60'] as const,
    logFile: path.join(folder, 'log'),
    pidFile: path.join(folder, 'pid'),
    stopSignal: 'SIGTERM' as const,
    patienceMs: 200,
  });

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'waybill-owned-process-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('ends with the process that started it, even by kill -9', async () => {
    const script = `
      import { startOwnedProcess } from '@waybill/private-datastores/start-owned-process';
      const { pid } = await startOwnedProcess(${JSON.stringify(options())});
      console.log(pid);
      setInterval(() => {}, 1000);`;
    const owner = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: import.meta.dirname });
    const [text] = (await once(owner.stdout, 'data')) as [Buffer];
    const pid = Number(text.toString());
    // The guard is set between the start of the process and that of its program.
    while (!(await readFile(`/proc/${pid}/cmdline`, 'utf8')).startsWith('sleep')) await sleep(5);
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    await expect.poll(() => identifyProcess(pid)).toBeUndefined();
  });

  it('is killed if it does not end in time', async () => {
    const stubborn = await startOwnedProcess({
      ...options(),
      command: [
        process.execPath,
        '-e',
        'process.on("SIGTERM", () => {}); console.log("up"); setInterval(() => {}, 1000)',
      ],
    });
    await expect.poll(() => readFile(path.join(folder, 'log'), 'utf8')).toContain('up');
    await stubborn.stop();
    await expect(stubborn.exited).resolves.toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('is found and ended by a later run through its pid file', async () => {
    const process = await startOwnedProcess(options());
    const ended = await stopLeftover({ pidFile: options().pidFile, signal: 'SIGTERM', patienceMs: 1000 });
    expect(ended?.pid).toBe(process.pid);
    await expect(process.exited).resolves.toEqual({ code: null, signal: 'SIGTERM' });
  });
});
