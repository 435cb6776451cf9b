import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { openSftpSession } from '@waybill/test-kit/open-sftp-session';
import { runSftp } from '@waybill/test-kit/run-sftp';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginUpload } from './begin-upload.ts';
import { createGatewayRig, type GatewayRig, type RunningGateway } from './gateway-rig.ts';
import { connectRawSftp } from './raw-sftp-client.ts';

let rig: GatewayRig;
let first: RunningGateway;
let second: RunningGateway;
let local: Awaited<ReturnType<typeof createTestFolder>>;
const megabyte = 1024 * 1024;
const content = randomBytes(8 * megabyte);

beforeAll(async () => {
  local = await createTestFolder();
  rig = await createGatewayRig({ users: [{ name: 'colleague', password: 'colleague-demo' }] });
  [first, second] = await Promise.all([
    rig.start('peer1', { SFTP_REKEY_MEGABYTES: '1' }),
    rig.start('peer2', { SFTP_IDLE_TIMEOUT_SECONDS: '3' }),
  ]);
  await writeFile(join(local.path, 'whole'), content);
});
afterAll(async () => {
  await Promise.all([first?.[Symbol.asyncDispose](), second?.[Symbol.asyncDispose]()]);
  await rig?.[Symbol.asyncDispose]();
  await local?.remove();
});

const run = (gateway: RunningGateway, user: string, ...commands: string[]) =>
  runSftp({ port: gateway.sftpPort, user, password: `${user}-demo`, commands });
const uploads = async (path: string) =>
  (await rig.audited()).filter(({ auditMessage }) => auditMessage.includes(`upload file ${path}`)).length;

describe('an upload that is cut off', () => {
  it('is not committed, has its true size for its uploader, and is resumed from there on another gateway', async () => {
    const client = await connectRawSftp({ port: first.sftpPort, user: 'globex' });
    await beginUpload(client, '/data/cut', content.subarray(0, 3 * megabyte));
    client.connection.destroy();
    const listed = await waitFor(
      async () => {
        const { stdout } = await run(second, 'globex', 'ls -l /data/cut');
        // Its size is visible before the first gateway has released it.
        const held = await rig.database.query('SELECT 1 FROM filebox.uploads WHERE lease_until > now()');
        return stdout.includes(String(3 * megabyte)) && held.length === 0 && stdout;
      },
      { what: 'the partial file', timeoutMs: 10_000, intervalMs: 200 },
    );
    expect(listed).toContain('/data/cut');
    expect(await uploads('/data/cut')).toBe(0);

    const back = join(local.path, 'back');
    const outcome = await run(second, 'globex', `reput ${local.path}/whole /data/cut`, `get /data/cut ${back}`);
    expect(outcome).toMatchObject({ exitCode: 0 });
    expect(outcome.stdout + outcome.stderr).not.toContain('overwrit');
    expect((await readFile(back)).equals(content)).toBe(true);
    expect(await uploads('/data/cut')).toBe(1);
  });

  it('is invisible to other users of the same files, who may upload one of that name', async () => {
    const client = await connectRawSftp({ port: first.sftpPort, user: 'globex' });
    await beginUpload(client, '/data/mine', content.subarray(0, 1000));
    client.connection.destroy();
    const refused = await run(
      second,
      'colleague',
      '-ls /data/mine',
      `-get /data/mine ${local.path}/mine`,
      'ls -1 /data',
    );
    expect(refused.stderr.match(/not found/gu)).toHaveLength(2);
    expect(refused.stdout).toMatch(/^\/data\/cut\s*$/mu);
    expect(refused.stdout).not.toMatch(/^\/data\/mine/mu);
    expect(await run(second, 'colleague', `put ${local.path}/whole /data/mine`)).toMatchObject({ exitCode: 0 });
    expect((await run(second, 'globex', 'ls -l /data/mine')).stdout).toContain(String(content.length));
  });

  it('has all that arrived before the client disconnected, processed or not', async () => {
    const client = await connectRawSftp({ port: first.sftpPort, user: 'globex' });
    const handle = await beginUpload(client, '/data/hasty', Buffer.alloc(0));
    const [count, bytes] = [15_000, 16];
    for (let index = 0; index < count; index += 1) {
      client.send({ type: 'write', id: 10, handle, offset: index * bytes, data: content.subarray(0, bytes) });
    }
    client.connection.end();
    await waitFor(
      async () => {
        const held = await rig.database.query('SELECT 1 FROM filebox.uploads WHERE lease_until > now()');
        return held.length === 0;
      },
      { what: 'the end of the upload' },
    );
    const { stdout } = await run(second, 'globex', 'ls -l /data/hasty');
    expect(stdout).toContain(` ${count * bytes} `);
  });

  it('leaves the previous version to its readers', async () => {
    const old = join(local.path, 'old');
    await writeFile(old, 'the old version');
    await run(first, 'globex', `put ${old} /data/kept`);
    const client = await connectRawSftp({ port: first.sftpPort, user: 'globex' });
    await beginUpload(client, '/data/kept', content.subarray(0, megabyte));
    const back = join(local.path, 'old-back');
    expect(await run(second, 'globex', `get /data/kept ${back}`)).toMatchObject({ exitCode: 0 });
    expect(await readFile(back, 'utf8')).toBe('the old version');
    client.connection.destroy();
  });

  it('by an end of the channel without a CLOSE is not committed either', async () => {
    await using client = await connectRawSftp({ port: first.sftpPort, user: 'globex' });
    await beginUpload(client, '/data/unclosed', content.subarray(0, 1000));
    client.channel.end();
    await client.closed;
    expect(await uploads('/data/unclosed')).toBe(0);
  });

  it('opening a stored file for writing and closing it again commits nothing', async () => {
    await run(first, 'globex', `put ${local.path}/whole /data/untouched`);
    await using client = await connectRawSftp({ port: first.sftpPort, user: 'globex' });
    const opened = await client.ask({
      type: 'open',
      id: 1,
      path: Buffer.from('/data/untouched'),
      flags: openFlag.write,
      attributes: {},
    });
    const handle = opened.type === 'handle' ? opened.handle : Buffer.alloc(0);
    expect(await client.ask({ type: 'close', id: 2, handle })).toMatchObject({ code: 0 });
    expect(await uploads('/data/untouched')).toBe(1);
  });
});

describe('new keys', () => {
  it('are made by the server while data flows, in both directions, without a byte lost', async () => {
    const back = join(local.path, 'rekeyed');
    const transfers = [`put ${local.path}/whole /data/rekeyed`, `get /data/rekeyed ${back}`];
    const outcome = await runSftp({
      port: first.sftpPort,
      user: 'globex',
      password: 'globex-demo',
      sshOptions: { LogLevel: 'DEBUG1' },
      commands: Array.from({ length: 30 }, () => transfers).flat(),
      timeoutMs: 55_000,
    });
    expect(outcome).toMatchObject({ exitCode: 0 });
    expect(outcome.stderr.match(/SSH2_MSG_KEXINIT received/gu)?.length).toBeGreaterThanOrEqual(3);
    expect((await readFile(back)).equals(content)).toBe(true);
  });

  it('are made by the client while data flows', async () => {
    const back = join(local.path, 'client-rekeyed');
    const outcome = await runSftp({
      port: second.sftpPort,
      user: 'globex',
      password: 'globex-demo',
      sshOptions: { RekeyLimit: '1M' },
      commands: [`put ${local.path}/whole /data/rekeyed2`, `get /data/rekeyed2 ${back}`],
    });
    expect(outcome).toMatchObject({ exitCode: 0 });
    expect((await readFile(back)).equals(content)).toBe(true);
  });
});

describe('a session without requests', () => {
  it('is ended after the idle time', async () => {
    await using client = await connectRawSftp({ port: second.sftpPort, user: 'globex' });
    const began = performance.now();
    await client.closed;
    expect(performance.now() - began).toBeGreaterThan(2_000);
  });
});

describe('a gateway that stops', () => {
  it('ends idle sessions at once, lets a transfer end, accepts no new connection, and leaves no session listed', async () => {
    const gateway = await rig.start('peer3');
    const idle = openSftpSession({ port: gateway.sftpPort, user: 'globex', password: 'globex-demo' });
    idle.send('pwd');
    await waitFor(() => idle.stdout().includes('Remote working directory'), { what: 'the login' });
    const busy = await connectRawSftp({ port: gateway.sftpPort, user: 'globex' });
    const handle = await beginUpload(busy, '/data/last', content.subarray(0, megabyte));

    const stopped = gateway[Symbol.asyncDispose]();
    idle.send('ls');
    expect((await idle.exited).exitCode).not.toBe(0);
    const late = await run(gateway, 'globex', 'pwd');
    expect(late.exitCode).toBe(255);
    const data = content.subarray(megabyte, megabyte + 1000);
    expect(await busy.ask({ type: 'write', id: 8, handle, offset: megabyte, data })).toMatchObject({ code: 0 });
    expect(await busy.ask({ type: 'close', id: 9, handle })).toMatchObject({ type: 'status', code: 0 });
    await busy.closed;
    await stopped;
    expect(await uploads('/data/last')).toBe(1);
    const { status, json } = await createHttpClient(second.httpUrl).post(
      '/platform-application/api/v1/infrastructure/clusters/server-sessions/query',
      {
        json: { clusterName: 'cluster1', peerName: 'peer3', protocol: 'SFTP', serverName: 'sftp-server' },
        bearer: rig.tokenOf('Users'),
      },
    );
    expect({ status, body: json() }).toMatchObject({ status: 400, body: { code: 'peer_unknown' } });
  });

  it('ends a transfer that exceeds the time, and keeps its bytes', async () => {
    const gateway = await rig.start('peer4');
    const busy = await connectRawSftp({ port: gateway.sftpPort, user: 'globex' });
    await beginUpload(busy, '/data/endless', content.subarray(0, megabyte));
    await gateway[Symbol.asyncDispose]();
    await busy.closed;
    expect(await uploads('/data/endless')).toBe(0);
    const { stdout } = await run(second, 'globex', 'ls -l /data/endless');
    expect(stdout).toContain(String(megabyte));
  });

  it('does not wait for connections that never sent a byte', async () => {
    const gateway = await rig.start('peer5');
    const socket = connect(gateway.sftpPort, '127.0.0.1');
    await once(socket, 'connect');
    const closed = once(socket.resume(), 'close');
    await gateway[Symbol.asyncDispose]();
    expect(await closed).toEqual([false]);
  });
});
