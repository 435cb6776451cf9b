import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { spawnEnvironment } from '@waybill/test-kit/spawn-environment';
import { expect, it } from 'vitest';
import { cosignedAt } from './running-witness.ts';
import { createTestLog } from './test-log.ts';

const waybill = fileURLToPath(new URL('../../cli/src/main.ts', import.meta.url));

/** `waybill witness serve` as a process that is ready. */
async function spawnWitness(folder: string) {
  const file = (name: string) => path.join(folder, name);
  const files = ['--key', file('key.pem'), '--logs', file('logs.txt'), '--state', file('state.json')];
  const args = [waybill, 'witness', 'serve', ...files, '--name', 'witness.example/w1', '--port', '0'];
  const child = spawn(process.execPath, args, { env: spawnEnvironment(), stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  let [line, address]: [string, string] = ['', ''];
  for await (line of createInterface({ input: child.stdout })) {
    address = / cosigns at (http:\S+)$/u.exec(line)?.[1] ?? '';
    if (address !== '') break;
  }
  child.stdout.resume();
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  return {
    verifierKey: line.split(' ')[0] ?? '',
    add: (body: string) => fetch(address, { method: 'POST', body, signal: AbortSignal.timeout(20_000) }),
    kill,
    [Symbol.asyncDispose]: kill,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      return child.exitCode;
    },
  };
}

it('a witness that is killed at any moment never cosigns a log that goes back, and never forgets what it cosigned', async () => {
  await using folder = await createTestFolder();
  const log = createTestLog('example.org/log');
  log.grow(200);
  await writeFile(path.join(folder.path, 'logs.txt'), `${log.verifierKey}\n`);
  let cosigned = 0;
  for (let round = 0; round < 8; round += 1) {
    await using witness = await spawnWitness(folder.path);
    // The witness says what it has: what it answered, or what it stored without being able to answer.
    const known = await witness.add(log.submission(0, 200));
    if (cosigned > 0) expect(known.status).toBe(409);
    const stored = known.status === 409 ? Number(await known.text()) : 200;
    expect(stored).toBeGreaterThanOrEqual(cosigned);
    const again = await witness.add(log.submission(stored, stored));
    expect(cosignedAt(await again.text(), witness.verifierKey, log.textOf(stored))).toBeTypeOf('number');
    cosigned = stored;
    if (cosigned === 200) log.grow(400);

    const killing = delay(round * 3).then(() => witness.kill());
    for (let size = cosigned + 1; size < cosigned + 100; size += 1) {
      const answer = await witness.add(log.submission(size - 1, size)).catch(() => undefined);
      if (answer?.status !== 200) break;
      cosigned = size;
    }
    await killing;
    // Between the store and the answer the state may be one ahead.
    const state = await readFile(path.join(folder.path, 'state.json'), 'utf8');
    const inFile = Number(/example\.org\/log\\n(\d+)\\n/u.exec(state)?.[1]);
    expect([cosigned, cosigned + 1]).toContain(inFile);
    log.grow(inFile + 200);
  }
  await using witness = await spawnWitness(folder.path);
  expect((await witness.add(log.submission(0, 1))).status).toBe(409);
  expect(await witness.stop()).toBe(0);
});
