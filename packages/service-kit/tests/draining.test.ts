import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';

const program = fileURLToPath(new URL('./drained-service.ts', import.meta.url));
let service: ChildProcessByStdio<null, null, Readable>;

afterEach(() => void service.kill('SIGKILL'));

async function start(drainSeconds: string): Promise<string> {
  const env = { ...process.env, DRAIN_SECONDS: drainSeconds };
  service = spawn(process.execPath, [program], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const [port]: unknown[] = await once(service.stderr.setEncoding('utf8'), 'data');
  return `http://127.0.0.1:${String(port).trim()}/`;
}

const ask = async (address: string): Promise<string> => (await fetch(address)).text();

describe('a service that receives SIGTERM', () => {
  it('continues to serve for DRAIN_SECONDS while it reports not ready, then ends', async () => {
    const address = await start('1.5');
    expect(await ask(address)).toBe('true');
    const ended = once(service, 'exit');
    service.kill('SIGTERM');
    const answers: string[] = [];
    for (let answer = ''; answer !== 'false'; answers.push(answer)) answer = await ask(address);
    // Not the end: it still answers.
    expect(await ask(address)).toBe('false');
    expect(await ended).toEqual([0, null]);
    await expect(fetch(address)).rejects.toThrow('fetch failed');
  });

  it('ends at once at a second signal', async () => {
    const address = await start('600');
    const ended = once(service, 'exit');
    service.kill('SIGTERM');
    for (let answer = ''; answer !== 'false';) answer = await ask(address);
    service.kill('SIGTERM');
    expect(await ended).toEqual([null, 'SIGTERM']);
  });

  it('ends at once without DRAIN_SECONDS', async () => {
    await start('');
    const ended = once(service, 'exit');
    service.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });
});
