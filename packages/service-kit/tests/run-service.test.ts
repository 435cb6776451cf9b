import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

/** Starts the small service beside this file and collects what it prints. */
function startSample(env: Record<string, string>) {
  const child = spawn(process.execPath, [new URL('sample-service.ts', import.meta.url).pathname], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (printed.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (printed.err += chunk.toString()));
  return { child, printed };
}

async function exitOf(child: ChildProcess): Promise<[code: number | null, signal: string | null]> {
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return [code, signal];
}

async function started(child: ChildProcess, message = 'started'): Promise<void> {
  for await (const chunk of child.stdout ?? []) if (String(chunk).includes(`"${message}"`)) return;
  throw new Error('the service ended before it was started');
}

test('a signal releases everything in reverse order and ends with code 0', async () => {
  const { child, printed } = startSample({ SAMPLE_MODE: 'run' });
  await started(child);
  child.kill('SIGTERM');
  expect(await exitOf(child)).toEqual([0, null]);
  expect(printed.err.split('\n').filter(Boolean)).toEqual(['released second', 'released first']);
});

test('a wrong configuration is one sentence and code 1', async () => {
  const { child, printed } = startSample({ SAMPLE_MODE: 'run', LOG_LEVEL: 'loud' });
  expect(await exitOf(child)).toEqual([1, null]);
  expect(printed.err).toMatch(/^sample: The environment is not valid: LOG_LEVEL .+\n$/u);
});

test('a failed start releases what was there, says why and ends with code 1', async () => {
  const { child, printed } = startSample({ SAMPLE_MODE: 'fail' });
  expect(await exitOf(child)).toEqual([1, null]);
  expect(printed.err).toContain('sample: could not start: no port\n');
  expect(printed.err).toContain('released second\nreleased first');
});

test('a stop that hangs is ended at its deadline', async () => {
  const { child } = startSample({ SAMPLE_MODE: 'hang', SHUTDOWN_TIMEOUT_SECONDS: '1' });
  await started(child);
  child.kill('SIGINT');
  expect(await exitOf(child)).toEqual([null, 'SIGKILL']);
});

test('a start that is interrupted is given up: everything is released, nothing is called a failure, and the code is 0', async () => {
  const { child, printed } = startSample({ SAMPLE_MODE: 'slow' });
  await started(child, 'half started');
  child.kill('SIGTERM');
  expect(await exitOf(child)).toEqual([0, null]);
  expect(printed.err.split('\n').filter(Boolean)).toEqual(['released second', 'released first']);
});

test('what an interrupted start leaves open is ended at the deadline of the stop', async () => {
  const { child } = startSample({ SAMPLE_MODE: 'leak', SHUTDOWN_TIMEOUT_SECONDS: '1' });
  await started(child, 'half started');
  child.kill('SIGTERM');
  expect(await exitOf(child)).toEqual([null, 'SIGKILL']);
});
