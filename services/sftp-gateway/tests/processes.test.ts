import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { openSftpSession } from '@waybill/test-kit/open-sftp-session';
import { spawnEnvironment } from '@waybill/test-kit/spawn-environment';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginUpload } from './begin-upload.ts';
import { followEvents } from './follow-events.ts';
import { createGatewayRig, type GatewayRig } from './gateway-rig.ts';
import { connectRawSftp } from './raw-sftp-client.ts';
import {
  childrenOf,
  isAlive,
  longestLeaseMs,
  startGatewayProcess,
  type GatewayProcess,
} from './start-gateway-process.ts';

const path = '/platform-application/api/v1/infrastructure/clusters/server-sessions';
const mainFile = new URL('../src/main.ts', import.meta.url).pathname;
const login = { user: 'globex', password: 'globex-demo' };
let rig: GatewayRig;
let gateway: GatewayProcess;

const settings = (peerName: string, processes: number) => ({
  ...rig.environmentOf(peerName),
  SFTP_PROCESSES: String(processes),
  SHUTDOWN_TIMEOUT_SECONDS: '20',
});
const start = (peerName: string, processes: number) => startGatewayProcess(settings(peerName, processes));

beforeAll(async () => {
  rig = await createGatewayRig();
  gateway = await start('peer1', 3);
});
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  await rig?.[Symbol.asyncDispose]();
});

interface Listed {
  readonly sessionId: string;
  readonly peerName: string;
}

async function sessions(): Promise<Listed[]> {
  const answer = await createHttpClient(gateway.httpUrl).get(path, { bearer: rig.tokenOf('Users') });
  return (answer.json() as { sessions: Listed[] }).sessions;
}

async function metric(name: string): Promise<number> {
  const { text } = await createHttpClient(gateway.httpUrl).get('/metrics');
  const values = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\d+)$`, 'gmu'))];
  expect(values).toHaveLength(1);
  return Number(values[0]?.[1]);
}

async function isReady(): Promise<boolean> {
  return (await createHttpClient(gateway.httpUrl).get('/health/ready')).status === 200;
}

const loginsOf = ({ log }: GatewayProcess) => log.filter(({ msg }) => msg === 'logged in');
/** Starts a gateway without waiting for it. */
function startWatched(environment: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [mainFile], {
    env: spawnEnvironment(environment),
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = once(child, 'close').then(([exitCode]) => ({ exitCode: exitCode as number | null, said }));
  return { child, ended, processes: () => childrenOf(child.pid ?? 0) };
}

/** Runs a gateway that cannot start, until it ends. */
function failToStart(environment: Readonly<Record<string, string>>) {
  return startWatched(environment).ended;
}

describe('several processes that share the SFTP port', () => {
  it('accept connections in turn, and are listed, counted, followed and ended as one gateway', async () => {
    await waitFor(isReady, { what: 'readiness' });
    await using follower = await followEvents(gateway.httpUrl, rig.tokenOf('Users'));
    const clients: ReturnType<typeof openSftpSession>[] = [];
    for (let count = 1; count <= 6; count += 1) {
      clients.push(openSftpSession({ port: gateway.sftpPort, ...login }));
      // One after the other: a process that is still accepting the previous connection is skipped.
      await waitFor(() => loginsOf(gateway).length === count, { what: 'the login' });
    }
    const numbers = loginsOf(gateway).map((line) => Number(line['process']));
    expect(numbers.toSorted((one, other) => one - other)).toEqual([1, 1, 2, 2, 3, 3]);

    const listed = await waitFor(async () => ((await sessions()).length === 6 ? sessions() : undefined), {
      what: 'the list',
    });
    expect(listed.every(({ peerName }) => peerName === 'peer1')).toBe(true);
    expect((await follower.find('opened'))['peerName']).toBe('peer1');
    expect(await metric('waybill_sftp_sessions')).toBe(6);
    expect(await metric('waybill_sftp_logins_total')).toBe(6);
    for (const { sessionId } of listed) {
      const answer = await createHttpClient(gateway.httpUrl).request('DELETE', path, {
        json: { clusterName: 'cluster1', peerName: 'peer1', protocol: 'SFTP', serverName: 'sftp-server', sessionId },
        bearer: rig.tokenOf('Administrators'),
      });
      expect([answer.status, answer.json()]).toEqual([200, expect.objectContaining({ sessionId })]);
    }
    await waitFor(async () => (await metric('waybill_sftp_sessions')) === 0, { what: 'the sessions to end' });
    expect(await sessions()).toEqual([]);
    await Promise.all(clients.map((client) => client.close()));
  });

  it('replace one that is killed: its session ends with an audit record, the others continue, no counter goes back', async () => {
    const before = await metric('waybill_sftp_logins_total');
    const clients: Awaited<ReturnType<typeof connectRawSftp>>[] = [];
    while (clients.length < 3) clients.push(await connectRawSftp({ port: gateway.sftpPort, user: 'globex' }));
    const handles = await Promise.all(
      clients.map((client, index) => beginUpload(client, `/data/file${index}`, Buffer.alloc(500_000, 'a'))),
    );
    expect(await metric('waybill_sftp_logins_total')).toBe(before + 3);
    const victim = (await gateway.processes()).get(2) ?? 0;
    process.kill(victim, 'SIGKILL');
    // Long before 15 seconds have passed by the clock of Redis, it is not listed any more.
    expect(await longestLeaseMs(rig.redis.url)).toBeLessThan(15_000);
    await waitFor(async () => !(await isReady()), { what: 'the gateway not to be ready' });
    await waitFor(isReady, { what: 'another process' });
    const replaced = await gateway.processes();
    expect(new Set(replaced.keys())).toEqual(new Set([1, 2, 3]));
    expect(replaced.get(2)).not.toBe(victim);
    expect(await metric('waybill_sftp_logins_total')).toBe(before + 3);
    expect(await metric('waybill_sftp_replaced_processes_total')).toBe(1);

    await waitFor(async () => (await sessions()).length === 2, { what: 'the session to vanish' });
    await waitFor(async () => gateway.log.some(({ msg }) => String(msg).includes('its gateway process died')), {
      what: 'the logout',
    });
    const dead = loginsOf(gateway).findLast((line) => line['process'] === 2)?.['sessionId'];
    const survivors = new Set((await sessions()).map(({ sessionId }) => sessionId));
    expect(survivors).not.toContain(dead);
    const answers = await Promise.all(
      clients.map((client, index) => {
        const closing = { type: 'close', id: 3, handle: handles[index] ?? Buffer.alloc(0) } as const;
        return Promise.race([client.closed.then(() => 'cut off'), client.ask(closing)]);
      }),
    );
    expect(answers.filter((answer) => answer === 'cut off')).toHaveLength(1);
    expect(answers.filter((answer) => typeof answer === 'object' && answer !== null)).toEqual([
      expect.objectContaining({ code: 0 }),
      expect.objectContaining({ code: 0 }),
    ]);
    await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()));
    const visible = await rig.database.query("select name from filebox.entries where name like 'file%'");
    expect(visible).toHaveLength(2);
  });
});

describe('the end of a gateway of several processes', () => {
  it.each([
    ['the first of its processes is there', false, 1],
    ['its whole group is signalled', true, 1],
    ['one of them serves already', false, 2],
  ])('is clean, with exit code 0 and no process left, before it has started: %s', async (_when, isGroup, atProcess) => {
    const { child, processes, ended } = startWatched(settings('peer5', 2));
    const seen = await waitFor(async () => ((await processes()).length >= atProcess ? processes() : undefined), {
      what: 'the process',
      timeoutMs: 60_000,
      intervalMs: 5,
    });
    process.kill(isGroup ? -(child.pid ?? 0) : (child.pid ?? 0), 'SIGTERM');
    expect(await ended).toEqual({ exitCode: 0, said: '' });
    expect(seen.filter(isAlive)).toEqual([]);
  });

  it('does not follow from the end of a single process that was signalled too early: that one is started again', async () => {
    const { child, processes, ended } = startWatched(settings('peer6', 2));
    const [early = 0] = await waitFor(async () => ((await processes()).length > 0 ? processes() : undefined), {
      what: 'the first process',
      timeoutMs: 60_000,
      intervalMs: 5,
    });
    process.kill(early, 'SIGTERM');
    await waitFor(async () => (await processes()).length === 2, { what: 'both processes', timeoutMs: 60_000 });
    child.kill('SIGTERM');
    expect(await ended).toEqual({ exitCode: 0, said: '' });
  });

  it('ends all processes when it is killed', async () => {
    const killed = await start('peer3', 2);
    const processes = [...(await killed.processes()).values()];
    expect(processes).toHaveLength(2);
    killed.child.kill('SIGKILL');
    await waitFor(() => processes.every((pid) => !isAlive(pid)), { what: 'the processes to end' });
  });

  it('is reported once, in a sentence and with code 1, if it cannot start', async () => {
    const inUse = await failToStart({ ...settings('peer4', 2), SFTP_PORT: String(gateway.sftpPort) });
    expect(inUse).toEqual({
      exitCode: 1,
      said: expect.stringMatching(/^sftp-gateway: could not start: [^\n]*EADDRINUSE[^\n]*\n$/u),
    });
    const keys = join(rig.folder, 'host-keys');
    await chmod(join(keys, 'ssh_host_ecdsa_key'), 0o644);
    const open = await failToStart(settings('peer4', 2));
    await chmod(join(keys, 'ssh_host_ecdsa_key'), 0o600);
    expect(open).toEqual({
      exitCode: 1,
      said: expect.stringMatching(/^sftp-gateway: could not start: [^\n]*chmod 600\n$/u),
    });
    const wrong = await failToStart({ ...settings('peer4', 2), SFTP_IDLE_TIMEOUT_SECONDS: 'never' });
    expect(wrong).toEqual({ exitCode: 1, said: expect.stringMatching(/^sftp-gateway: [^\n]*SFTP_IDLE[^\n]*\n$/u) });
  });
});
