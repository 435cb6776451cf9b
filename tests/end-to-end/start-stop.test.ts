import { once } from 'node:events';
import { createServer } from 'node:net';
import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { createTestFolder, type TestFolder } from '@waybill/test-kit/create-test-folder';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePorts, type LaunchedPlatform, launchPlatform, type PortVariables } from './launch-platform.ts';
import { processesOf } from './processes-of.ts';

describe('npm start', () => {
  let folder: TestFolder;
  let ports: PortVariables;
  const launched: LaunchedPlatform[] = [];

  const launch = async (): Promise<LaunchedPlatform> => {
    const platform = await launchPlatform({ folder: folder.path, ports });
    launched.push(platform);
    return platform;
  };
  const launchUp = async (): Promise<LaunchedPlatform> => {
    const platform = await launch();
    await platform.untilUp();
    return platform;
  };
  const stop = async (platform: LaunchedPlatform, signal: NodeJS.Signals): Promise<number | null> => {
    process.kill(platform.pid, signal);
    return (await platform.ended).exitCode;
  };
  const logInAsGlobex = async () => {
    const globex = createHttpClient(`http://127.0.0.1:${ports.WAYBILL_EDGE_PORT}`);
    await globex.post('/2.0/login/basic', { form: { username: 'globex', password: 'globex-demo' } });
    return globex;
  };

  beforeEach(async () => {
    folder = await createTestFolder();
    ports = await freePorts();
  });
  afterEach(async () => {
    for (const { pid, ended } of launched.splice(0)) {
      try {
        process.kill(pid, 'SIGTERM');
      } catch {
        // It has ended already, as most of these tests have it do.
      }
      await ended;
    }
    await folder.remove();
  });

  it('stops everything in order on Ctrl-C, leaves no process behind, and finds its data again', async () => {
    const first = await launchUp();
    const form = new FormData();
    form.set('file', new Blob(['still here']), 'kept.txt');
    expect((await (await logInAsGlobex()).put('/2.0/files/data/kept.txt', { multipart: form })).status).toBe(201);

    await expect(stop(first, 'SIGINT')).resolves.toBe(0);
    expect(processesOf(folder.path)).toEqual([]);

    await launchUp();
    expect((await (await logInAsGlobex()).get('/2.0/files/data/kept.txt')).text).toBe('still here');
  });

  it('takes a repeated Ctrl-C for one', async () => {
    const platform = await launchUp();
    process.kill(platform.pid, 'SIGINT');
    process.kill(platform.pid, 'SIGTERM');
    await expect(stop(platform, 'SIGINT')).resolves.toBe(0);
    expect(processesOf(folder.path)).toEqual([]);
  });

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

  it('tells why a service could not start, with exit code 1 and nothing left running', async () => {
    const platform = await launchPlatform({ folder: folder.path, ports, env: { SFTP_BAN_SECONDS: 'never' } });
    launched.push(platform);
    await expect(platform.ended).resolves.toEqual({ exitCode: 1 });
    expect(platform.printed()).toMatch(
      /^Waybill could not start: sftp-gateway ended while it started: The environment is not valid: SFTP_BAN_SECONDS [^\n]+ \(its log: \S+sftp-gateway\.log\)$/mu,
    );
    expect(processesOf(folder.path)).toEqual([]);
  });

  it('leaves no process behind when it is killed, and the next start is as good as any', async () => {
    const first = await launchUp();
    process.kill(first.pid, 'SIGKILL');
    await first.ended;
    const second = await launchUp();
    expect((await (await logInAsGlobex()).get('/2.0/directories/data')).status).toBe(200);
    await stop(second, 'SIGTERM');
    expect(processesOf(folder.path)).toEqual([]);
  });

  it('takes over from a start that still runs', async () => {
    const first = await launchUp();
    const second = await launchUp();
    await expect(first.ended).resolves.toEqual({ exitCode: 0 });
    expect(second.printed()).toContain(`Stopped an earlier start (process ${first.pid})`);
  });
});
