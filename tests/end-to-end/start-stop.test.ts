import { once } from 'node:events';
import { createServer } from 'node:net';
import { createHttpClient, type HttpClient } from '@waybill/test-kit/create-http-client';
import { createTestFolder, type TestFolder } from '@waybill/test-kit/create-test-folder';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePorts, type LaunchedPlatform, launchPlatform, type PortVariables } from './launch-platform.ts';
import { processesOf } from './processes-of.ts';

const launched: LaunchedPlatform[] = [];
let folder: TestFolder;
let ports: PortVariables;

async function prepareFolder(): Promise<void> {
  folder = await createTestFolder();
  ports = await freePorts();
}
async function stopAll(): Promise<void> {
  for (const { pid, ended } of launched.splice(0)) {
    try {
      process.kill(pid, 'SIGTERM');
    } catch {
      // It has ended already, as most of these tests have it do.
    }
    await ended;
  }
  await folder.remove();
}
async function launch(env: Readonly<Record<string, string>> = {}): Promise<LaunchedPlatform> {
  const platform = await launchPlatform({ folder: folder.path, ports, env });
  launched.push(platform);
  return platform;
}
async function launchUp(): Promise<LaunchedPlatform> {
  const platform = await launch();
  await platform.untilUp();
  return platform;
}
async function stop(platform: LaunchedPlatform, signal: NodeJS.Signals): Promise<number | null> {
  process.kill(platform.pid, signal);
  return (await platform.ended).exitCode;
}
async function logInAsGlobex(): Promise<HttpClient> {
  const globex = createHttpClient(`http://127.0.0.1:${ports.WAYBILL_EDGE_PORT}`);
  await globex.post('/2.0/login/basic', { form: { username: 'globex', password: 'globex-demo' } });
  return globex;
}

/** One folder, in which each start finds what the last one has left. */
describe('npm start, again and again', () => {
  let platform: LaunchedPlatform;

  beforeAll(prepareFolder);
  afterAll(stopAll);

  it('leaves no process behind when it is killed, and the next start finds its data again', async () => {
    const killed = await launchUp();
    const form = new FormData();
    form.set('file', new Blob(['still here']), 'kept.txt');
    expect((await (await logInAsGlobex()).put('/2.0/files/data/kept.txt', { multipart: form })).status).toBe(201);
    process.kill(killed.pid, 'SIGKILL');
    await killed.ended;
    platform = await launchUp();
    expect((await (await logInAsGlobex()).get('/2.0/directories/data')).status).toBe(200);
    expect((await (await logInAsGlobex()).get('/2.0/files/data/kept.txt')).text).toBe('still here');
  });

  it('takes over from a start that still runs', async () => {
    const first = platform;
    platform = await launchUp();
    await expect(first.ended).resolves.toEqual({ exitCode: 0 });
    expect(platform.printed()).toContain(`Stopped an earlier start (process ${first.pid})`);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'stops everything in order on %s, leaves no process behind, and finds its data again',
    async (signal) => {
      await expect(stop(platform, signal)).resolves.toBe(0);
      expect(processesOf(folder.path)).toEqual([]);
      platform = await launchUp();
      expect((await (await logInAsGlobex()).get('/2.0/files/data/kept.txt')).text).toBe('still here');
    },
  );

  it('takes a repeated Ctrl-C for one', async () => {
    process.kill(platform.pid, 'SIGINT');
    process.kill(platform.pid, 'SIGTERM');
    await expect(stop(platform, 'SIGINT')).resolves.toBe(0);
    expect(processesOf(folder.path)).toEqual([]);
  });

  it('tells why a service could not start, with exit code 1 and nothing left running', async () => {
    const platform = await launch({ SFTP_BAN_SECONDS: 'never' });
    await expect(platform.ended).resolves.toEqual({ exitCode: 1 });
    expect(platform.printed()).toMatch(
      /^Waybill could not start: sftp-gateway ended while it started: The environment is not valid: SFTP_BAN_SECONDS [^\n]+ \(its log: \S+sftp-gateway\.log\)$/mu,
    );
    expect(processesOf(folder.path)).toEqual([]);
  });
});

describe('npm start', () => {
  beforeEach(prepareFolder);
  afterEach(stopAll);

  it('stops in order when it is interrupted while it starts', async () => {
    const platform = await launch();
    await waitFor(() => platform.printed().includes('Starting PostgreSQL'), { what: 'the start to have begun' });
    await expect(stop(platform, 'SIGINT')).resolves.toBe(0);
    expect(processesOf(folder.path)).toEqual([]);
  });

  it.each(['WAYBILL_EDGE_PORT', 'WAYBILL_SFTP_PORT', 'WAYBILL_AUDIT_PORT', 'WAYBILL_POSTGRES_PORT'] as const)(
    'refuses in one sentence, with exit code 1 and nothing started, when the port of %s is in use',
    async (variable) => {
      const other = createServer().listen(Number(ports[variable]), '127.0.0.1');
      await once(other, 'listening');
      const platform = await launch();
      const { exitCode } = await platform.ended;
      other.close();
      expect(exitCode).toBe(1);
      expect(platform.printed().trim()).toBe(
        `Port ${ports[variable]} is in use: stop what listens there, or choose another one with ${variable}=<port>, or eight others with WAYBILL_BASE_PORT=<port>.`,
      );
      expect(processesOf(folder.path)).toEqual([]);
    },
  );

  it('names a variable that makes no sense, with exit code 1', async () => {
    ports.WAYBILL_EDGE_PORT = 'eighty';
    const platform = await launch();
    await expect(platform.ended).resolves.toEqual({ exitCode: 1 });
    expect(platform.printed()).toContain('WAYBILL_EDGE_PORT');
  });
});
