import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';

const children = new Set<ReturnType<typeof spawn>>();
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});

/** Starts the service that stalls. `reads` false leaves what it prints unread. */
function startStalling(mode: string, env: Record<string, string>, reads = true) {
  const child = spawn(process.execPath, [new URL('stalling-service.ts', import.meta.url).pathname], {
    env: { PATH: process.env['PATH'], SAMPLE_MODE: mode, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  const printed = { out: '', err: '' };
  const goesOn = Promise.withResolvers<void>();
  if (reads) {
    child.stdout.on('data', (chunk: Buffer) => {
      printed.out += chunk.toString();
      if (printed.out.includes('"went on"')) goesOn.resolve();
    });
  }
  child.stderr.on('data', (chunk: Buffer) => (printed.err += chunk.toString()));
  const ended = once(child, reads ? 'close' : 'exit') as Promise<[code: number | null, signal: string | null]>;
  void ended.then((end) => goesOn.reject(new Error(`ended: ${end.join()} ${printed.err}`)));
  goesOn.promise.catch(() => {});
  return { child, printed, ended, goesOn: goesOn.promise };
}

function fatalLineOf(out: string): Record<string, unknown> {
  const lines = out.split('\n').filter((line) => line.includes('"fatal"'));
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] ?? '') as Record<string, unknown>;
}

const sentence = 'the event loop was blocked for 1 s: exiting, to be restarted';

test('a loop without an end ends the process with code 70, a sentence, and a line of the log that says where', async () => {
  const { ended, printed } = startStalling('loop', { WATCHDOG_SECONDS: '1' });
  expect(await ended).toEqual([70, null]);
  expect(printed.err).toContain(`sample: ${sentence}\n`);
  const line = fatalLineOf(printed.out);
  expect(line).toMatchObject({ level: 'fatal', service: 'sample', stallMs: 1_000, msg: sentence });
  expect(line['stack']).toContain('deliberateLoop');
});

test('a process that cannot be interrupted is killed, and still reported', async () => {
  const { ended, printed } = startStalling('native', { WATCHDOG_SECONDS: '1' });
  expect(await ended).toEqual([null, 'SIGKILL']);
  expect(printed.err).toContain(`sample: ${sentence}\n`);
  expect(fatalLineOf(printed.out)).toMatchObject({ msg: sentence });
});

test('a process whose log is not read ends, too', async () => {
  const { ended } = startStalling('flood', { WATCHDOG_SECONDS: '1' }, false);
  const [code, signal] = await ended;
  expect(code === 70 || signal === 'SIGKILL').toBe(true);
});

test('a stall below the limit, or without a watchdog, is ignored', async () => {
  const runs = ['10', '0'].map((seconds) => startStalling('short', { WATCHDOG_SECONDS: seconds }));
  for (const { child, goesOn, ended } of runs) {
    await goesOn;
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  }
});

test('a process that was suspended for longer than the limit continues, however often', async () => {
  const { child, ended, goesOn, printed } = startStalling('idle', { WATCHDOG_SECONDS: '2' });
  await goesOn;
  const pauses = [4_000, ...Array.from({ length: 20 }, () => 150), 3_000];
  for (const pauseMs of pauses) {
    child.kill('SIGSTOP');
    await delay(pauseMs);
    child.kill('SIGCONT');
    await delay(20);
  }
  // Long enough for a stall, had one been counted.
  await delay(2_500);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(printed.err).toBe('');
});

test('a process that collects much garbage continues', async () => {
  const { child, ended, goesOn, printed } = startStalling('garbage', { WATCHDOG_SECONDS: '3' });
  await goesOn;
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  const line = printed.out.split('\n').find((text) => text.includes('greatestHeap')) ?? '{}';
  expect((JSON.parse(line) as { greatestHeap: number }).greatestHeap).toBeGreaterThan(50);
});

test('the watchdog keeps no process alive', async () => {
  const { child, ended, goesOn } = startStalling('idle', {});
  await goesOn;
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});
