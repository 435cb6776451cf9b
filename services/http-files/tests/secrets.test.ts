import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@waybill/private-datastores/free-port';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFilesRig, type FilesRig } from './files-rig.ts';

const program = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const canary = 'canary-4711';
let rig: FilesRig;

beforeAll(async () => {
  rig = await createFilesRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

/** Starts a peer as a process; `printed` is its whole output. */
function startProcess(env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [program], {
    env: { ...rig.environment, PORT: '0', PEER_NAME: 'peer1', LOG_LEVEL: 'trace', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const closed = new Promise((resolve) => child.once('close', resolve));
  return {
    pid: child.pid ?? 0,
    printed: () => printed,
    closed,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

function withPassword(url: string, password: string): string {
  const changed = new URL(url);
  changed.password = password;
  return changed.toString();
}

describe('the output of a service that its datastores refuse', () => {
  test('contains no password of PostgreSQL', async () => {
    const url = withPassword(rig.environment['DATABASE_URL'] ?? '', canary);
    await using peer = startProcess({ DATABASE_URL: url });
    await peer.closed;
    expect(peer.printed()).toContain('could not start: password authentication failed');
    expect(peer.printed()).not.toContain(canary);
  });

  test('contains no password of Redis', async () => {
    const url = withPassword(rig.environment['REDIS_URL'] ?? '', canary);
    await using peer = startProcess({ REDIS_URL: url });
    await waitFor(() => peer.printed().includes('WRONGPASS'), { what: 'the refusal in the log', timeoutMs: 30_000 });
    expect(peer.printed()).not.toContain(canary);
  });

  test.each([
    { DATABASE_URL: `postgresql://waybill:${canary}@[bad/waybill` },
    { DATABASE_URL: `postgresql://waybill:${canary}@127.0.0.1:99999/waybill` },
    { DATABASE_URL: canary },
    { REDIS_URL: `redis://:${canary}@[bad:6379` },
    { REDIS_URL: `redis://:${canary}@127.0.0.1:1/0` },
    { REDIS_URL: `/${canary}` },
    { DATABASE_URL_FILE: `postgresql://waybill:${canary}@db/waybill`, DATABASE_URL: '' },
  ])('contains no part of an invalid address: %j', async (env) => {
    await using peer = startProcess(env);
    const isTold = () => /could not start|is not valid|redis connection/u.test(peer.printed());
    await waitFor(isTold, { what: 'a word about the address', timeoutMs: 30_000 });
    expect(peer.printed()).not.toContain(canary);
  });
});

test('passwords in files are in no list of processes, no environment, no log and no metric', async () => {
  const passwords = ['DATABASE_URL', 'REDIS_URL'].map((name) => new URL(rig.environment[name] ?? '').password);
  const files = await Promise.all(
    ['DATABASE_URL', 'REDIS_URL'].map(async (name) => {
      const file = join(rig.folder, `${name}.secret`);
      await writeFile(file, `${rig.environment[name]}\n`, { mode: 0o600 });
      return [
        [`${name}_FILE`, file],
        [name, ''],
      ];
    }),
  );
  const port = String(await freePort());
  await using peer = startProcess({ ...(Object.fromEntries(files.flat()) as Record<string, string>), PORT: port });
  await waitFor(() => peer.printed().includes('"started"'), { what: 'the start', timeoutMs: 30_000 });
  const proc = async (name: string) => await readFile(`/proc/${peer.pid}/${name}`, 'utf8');
  const seen = [await proc('cmdline'), await proc('environ'), peer.printed()];
  seen.push(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
  for (const password of passwords) {
    expect(password).not.toBe('');
    for (const text of seen) {
      expect(text).not.toContain(password);
      expect(text).not.toContain(decodeURIComponent(password));
    }
  }
});
