import { createHash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { statusCode } from '@waybill/sftp-protocol/responses/status-code';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { runSftp } from '@waybill/test-kit/run-sftp';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginUpload } from './begin-upload.ts';
import { createGatewayRig, type GatewayRig, type RunningGateway } from './gateway-rig.ts';
import { connectRawSftp, type RawSftpClient } from './raw-sftp-client.ts';
import { longestLeaseMs, startGatewayProcess, type GatewayProcess } from './start-gateway-process.ts';

const uploads = 20;
const acknowledged = 5;
const sizeBytes = 1_500_000;

let rig: GatewayRig;
let living: RunningGateway;
const started: GatewayProcess[] = [];

beforeAll(async () => {
  rig = await createGatewayRig();
  living = await rig.start('peer1');
});
afterAll(async () => {
  await Promise.all(started.map((process) => process[Symbol.asyncDispose]()));
  await living?.[Symbol.asyncDispose]();
  await rig?.[Symbol.asyncDispose]();
});

async function startProcess(peerName: string): Promise<GatewayProcess> {
  const gateway = await startGatewayProcess(rig.environmentOf(peerName));
  started.push(gateway);
  return gateway;
}

async function sessionsOf(peerName: string): Promise<number> {
  const path = '/platform-application/api/v1/infrastructure/clusters/server-sessions';
  const answer = await createHttpClient(living.httpUrl).get(path, {
    query: { peerName },
    bearer: rig.tokenOf('Users'),
  });
  return (answer.json() as { totalCount: number }).totalCount;
}

async function logouts(): Promise<number> {
  return (await rig.audited()).filter(({ auditMessage }) => auditMessage === 'User globex has logged out').length;
}

const sftp = (port: number, commands: string[]) =>
  runSftp({ port, user: 'globex', password: 'globex-demo', commands, timeoutMs: 60_000 });
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Bytes of a file as its uploader sees it. */
async function sizeOf(client: RawSftpClient, path: string): Promise<number> {
  const answer = await client.ask({ type: 'stat', id: 1, path: Buffer.from(path) });
  return answer.type === 'attrs' ? (answer.attributes.size ?? -1) : -1;
}

it('a gateway killed amid twenty uploads leaves nothing half visible, partials to go on with, and logouts on the record', async () => {
  const [witness] = await rig.database.query('select id from sftp_gateway.processes');
  const killed = await startProcess('peer2');
  const contents = Array.from({ length: uploads }, () => randomBytes(sizeBytes));
  const clients = await Promise.all(contents.map(() => connectRawSftp({ port: killed.sftpPort, user: 'globex' })));
  // Some are closed, and so delivered, before the end; of the others two thirds have been answered.
  await Promise.all(
    clients.map(async (client, index) => {
      const content = contents[index] ?? Buffer.alloc(0);
      const isWhole = index < acknowledged;
      const handle = await beginUpload(
        client,
        `/data/file${index}`,
        isWhole ? content : content.subarray(0, 1_000_000),
      );
      if (isWhole) expect(await client.ask({ type: 'close', id: 9, handle })).toMatchObject({ code: 0 });
      else
        client.send({ type: 'write', id: 8, handle, offset: 1_000_000, data: content.subarray(1_000_000, 1_200_000) });
    }),
  );
  expect(await sessionsOf('peer2')).toBe(uploads);
  killed.child.kill('SIGKILL');
  await killed.exited;
  expect(await longestLeaseMs(rig.redis.url)).toBeLessThan(15_000);
  const restarting = startProcess('peer2');
  await waitFor(async () => (await sessionsOf('peer2')) === 0, { what: 'the sessions to vanish' });
  // The other gateway renews its own lease once a second, unless the machine has other work to do.
  const renewals = new Set<string>();
  const recorded = async () => {
    const renewed = 'select renewed_at::text from sftp_gateway.processes where id = $1';
    for (const row of await rig.database.query(renewed, [witness?.['id']])) renewals.add(String(row['renewed_at']));
    return (await logouts()) >= uploads;
  };
  await waitFor(recorded, { what: 'the logouts' });
  expect(renewals.size).toBeLessThan(15);
  const { sftpPort: restartedPort } = await restarting;

  const visible = await rig.database.query(
    "select name from filebox.entries where name like 'file%' and kind = 'file' order by name",
  );
  expect(visible.map(({ name }) => name)).toEqual(Array.from({ length: acknowledged }, (_, index) => `file${index}`));

  await using uploader = await connectRawSftp({ port: living.sftpPort, user: 'globex' });
  for (let index = acknowledged; index < uploads; index += 1) {
    expect(await sizeOf(uploader, `/data/file${index}`)).toBeGreaterThanOrEqual(1_000_000);
  }
  await Promise.all(
    [0, acknowledged, uploads - 1].map(async (index) => {
      const content = contents[index] ?? Buffer.alloc(0);
      const local = join(rig.folder, `file${index}`);
      const port = index === acknowledged ? living.sftpPort : restartedPort;
      await writeFile(local, content);
      if (index >= acknowledged) {
        const goOn = async () => (await sftp(port, [`reput ${local} /data/file${index}`])).exitCode === 0;
        await waitFor(goOn, { what: 'the upload to be gone on with', timeoutMs: 60_000, intervalMs: 500 });
      }
      expect(await sftp(port, [`get /data/file${index} ${local}.back`])).toMatchObject({ exitCode: 0 });
      expect(hashOf(await readFile(`${local}.back`))).toBe(hashOf(content));
    }),
  );
  // Each login has had one logout, whoever put it there, but for the session that is still open.
  const logins = (await rig.audited()).filter(
    ({ auditMessage }) => auditMessage === 'User globex has logged in',
  ).length;
  await waitFor(async () => (await logouts()) === logins - 1, { what: 'the last logouts' });
}, 120_000);

describe('a gateway killed between a change of an open file and its CLOSE', () => {
  const content = randomBytes(900_000);
  const half = content.subarray(0, 600_000);
  let client: RawSftpClient;
  let uploader: RawSftpClient;

  const put = async (path: string, bytes: Buffer) => {
    const handle = await beginUpload(client, path, bytes);
    expect(await client.ask({ type: 'close', id: 9, handle })).toMatchObject({ code: statusCode.ok });
  };
  /** Writes to a file without TRUNCATE. */
  const changeFile = async (path: string) => {
    const flags = openFlag.read | openFlag.write;
    const opened = await client.ask({ type: 'open', id: 1, path: Buffer.from(path), flags, attributes: {} });
    const handle = opened.type === 'handle' ? opened.handle : Buffer.alloc(0);
    const written = await client.ask({ type: 'write', id: 2, handle, offset: 0, data: half.subarray(0, 200_000) });
    expect(written).toMatchObject({ code: statusCode.ok });
  };
  const rename = async (type: 'rename' | 'posix-rename', from: string, to: string) => {
    const answer = await client.ask({ type, id: 1, oldPath: Buffer.from(from), newPath: Buffer.from(to) });
    expect(answer).toMatchObject({ code: statusCode.ok });
  };
  const remove = async (path: string) =>
    expect(await client.ask({ type: 'remove', id: 1, path: Buffer.from(path) })).toMatchObject({ code: statusCode.ok });
  const lookAt = (path: string) => uploader.ask({ type: 'lstat', id: 1, path: Buffer.from(path) });
  const deliveries = async (path: string) => {
    const events = `select from outbox.events where topic = 'file-event' and payload ->> 'kind' = 'stored' and payload ->> 'path' = $1`;
    const audited = (await rig.audited()).filter(
      ({ auditOperation, auditMessage }) =>
        auditOperation === 'SERVER_UPLOAD_FILE' && auditMessage.startsWith(`Server upload file ${path} FilesetId `),
    );
    return { started: (await rig.database.query(events, [path])).length, audited: audited.length };
  };

  beforeAll(async () => {
    const killed = await startProcess('peer3');
    client = await connectRawSftp({ port: killed.sftpPort, user: 'globex' });
    for (const name of ['replaced', 'removed-change', 'lost-change']) await put(`/data/${name}`, Buffer.from('old'));

    await beginUpload(client, '/data/first-name', half);
    await rename('rename', '/data/first-name', '/data/renamed');
    await beginUpload(client, '/data/replacing', half);
    await rename('posix-rename', '/data/replacing', '/data/replaced');
    await beginUpload(client, '/data/removed', half);
    await remove('/data/removed');
    await changeFile('/data/removed-change');
    await remove('/data/removed-change');
    await put('/data/other', Buffer.from('other'));
    await changeFile('/data/lost-change');
    await rename('posix-rename', '/data/other', '/data/lost-change');

    killed.child.kill('SIGKILL');
    await killed.exited;
    uploader = await connectRawSftp({ port: living.sftpPort, user: 'globex' });
  });
  afterAll(() => uploader?.[Symbol.asyncDispose]());

  it.each([
    ['renamed', '/data/first-name', '/data/renamed', 0],
    ['renamed onto another file', '/data/replacing', '/data/replaced', 1],
  ])(
    'leaves the partial of a file that was %s under its new name; resuming it delivers once',
    async (_, from, to, before) => {
      expect(await lookAt(from)).toMatchObject({ code: statusCode.noSuchFile });
      expect(await sizeOf(uploader, to)).toBeGreaterThanOrEqual(half.length);
      expect(await deliveries(to)).toEqual({ started: before, audited: before });
      const local = join(rig.folder, to.slice('/data/'.length));
      await writeFile(local, content);
      const goOn = async () => (await sftp(living.sftpPort, [`reput ${local} ${to}`])).exitCode === 0;
      await waitFor(goOn, { what: 'the upload to be resumed', timeoutMs: 60_000, intervalMs: 500 });
      expect(await sftp(living.sftpPort, [`get ${to} ${local}.back`])).toMatchObject({ exitCode: 0 });
      expect(hashOf(await readFile(`${local}.back`))).toBe(hashOf(content));
      expect(await deliveries(to)).toEqual({ started: before + 1, audited: before + 1 });
      expect(await deliveries(from)).toEqual({ started: 0, audited: 0 });
    },
  );

  it.each([
    ['a new file', '/data/removed', 0],
    ['a file that was being changed', '/data/removed-change', 1],
  ])('brings nothing back of %s that was removed', async (_, path, before) => {
    await uploadsReleased();
    expect(await lookAt(path)).toMatchObject({ code: statusCode.noSuchFile });
    const opened = (flags: number) =>
      uploader.ask({ type: 'open', id: 1, path: Buffer.from(path), flags, attributes: {} });
    expect(await opened(openFlag.read | openFlag.write)).toMatchObject({ code: statusCode.noSuchFile });
    expect(await deliveries(path)).toEqual({ started: before, audited: before });
    // The name is free.
    const made = await opened(openFlag.write | openFlag.create | openFlag.exclusive);
    expect(made.type).toBe('handle');
    const handle = made.type === 'handle' ? Buffer.from(made.handle) : Buffer.alloc(0);
    expect(await uploader.ask({ type: 'close', id: 2, handle })).toMatchObject({ code: statusCode.ok });
    expect(await sizeOf(uploader, path)).toBe(0);
  });

  it('leaves the file that was renamed onto one that was being changed', async () => {
    await uploadsReleased();
    expect(await sizeOf(uploader, '/data/lost-change')).toBe('other'.length);
    expect(await deliveries('/data/lost-change')).toEqual({ started: 1, audited: 1 });
  });

  /** Nothing is held by the killed gateway any more. */
  const uploadsReleased = () =>
    waitFor(
      async () =>
        (await rig.database.query('select from filebox.uploads where removed and lease_until > now()')).length === 0,
      { what: 'the uploads to be released', timeoutMs: 60_000 },
    );
});
