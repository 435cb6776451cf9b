import { statusCode } from '@waybill/sftp-protocol/responses/status-code';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { openSftpSession } from '@waybill/test-kit/open-sftp-session';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { beginUpload } from './begin-upload.ts';
import { connectRawSftp, type RawSftpClient } from './raw-sftp-client.ts';
import { oneGateway } from './test-gateways.ts';
import { everything, grants, keys, ofAcme, type Withdrawal, withdrawals, withdrawalOf } from './withdrawals.ts';

const peer = oneGateway({ rig: { publicKey: keys.public } });

const size = 300_000;
const path = Buffer.from('/inbox/cut');

beforeAll(async () => {
  await using client = await connectRawSftp({ port: peer.gateway.sftpPort, user: 'acme' });
  await put(client, '/inbox/there');
});
afterEach(async () => {
  for (const { undo } of Object.values(withdrawals)) await peer.rig.database.query(undo);
  await peer.rig.database.query(`DELETE FROM filebox.uploads`);
});

const connect = (login: Withdrawal['login']) =>
  connectRawSftp({
    port: peer.gateway.sftpPort,
    user: 'acme',
    ...(login === 'key' && { privateKey: keys.private }),
  });

async function put(client: RawSftpClient, name: string): Promise<void> {
  const handle = await beginUpload(client, name, Buffer.alloc(size, 'a'));
  expect(await client.ask({ type: 'close', id: 3, handle })).toMatchObject({ type: 'status', code: statusCode.ok });
}

async function openToRead(client: RawSftpClient): Promise<Buffer> {
  const there = Buffer.from('/inbox/there');
  const opened = await client.ask({ type: 'open', id: 1, path: there, flags: openFlag.read, attributes: {} });
  return opened.type === 'handle' ? opened.handle : Buffer.alloc(0);
}

const recordsSince = async (before: number) =>
  (await peer.rig.audited())
    .slice(before)
    .map(({ auditOperation, auditMessage }) => [auditOperation, auditMessage.replace(/FilesetId \d+/u, 'FilesetId N')]);

const storedFiles = () => peer.rig.database.query(`SELECT FROM filebox.entries WHERE name = 'cut'`);

/** Whether the session has ended; reads on meanwhile, as a client does that takes its time. */
const ended = (client: RawSftpClient) => client.closed.then(() => true);

/** From the answer of each withdrawal to the end of the session, where nothing else has to happen before. */
const secondsToEnd: number[] = [];

/** What these take away still is good for a second. */
const delayed: ReadonlySet<string> = new Set([
  'has a key that expires',
  'has an account that expires',
  'has access by a group that expires',
]);

async function endsAfter(client: RawSftpClient, cause: string): Promise<void> {
  await peer.rig.database.query(withdrawalOf(cause).change);
  const withdrawnAt = performance.now();
  expect(await ended(client)).toBe(true);
  if (!delayed.has(cause)) secondsToEnd.push((performance.now() - withdrawnAt) / 1_000);
}

describe.each(Object.entries(withdrawals))('the session of a user who %s', (cause, { login, reason }) => {
  it('ends while it is idle', async () => {
    await using client = await connect(login);
    const before = (await peer.rig.audited()).length;
    await endsAfter(client, cause);
    const record = ['SERVER_LOGOUT', `User acme has been logged out: ${reason}`];
    await expect.poll(() => recordsSince(before)).toEqual([record]);
  });

  it('ends in the middle of an upload, which delivers nothing', async () => {
    await using client = await connect(login);
    await beginUpload(client, path.toString(), Buffer.alloc(size));
    const before = (await peer.rig.audited()).length;
    await endsAfter(client, cause);
    const record = ['SERVER_UPLOAD_FILE', `Server upload file /inbox/cut was refused: ${reason}`];
    await expect.poll(() => recordsSince(before)).toContainEqual(record);
    expect(await storedFiles()).toEqual([]);
  });

  it('ends in the middle of a download', async () => {
    await using client = await connect(login);
    const handle = await openToRead(client);
    const before = (await peer.rig.audited()).length;
    await client.ask({ type: 'read', id: 2, handle, offset: 0, length: 1_000 });
    await endsAfter(client, cause);
    await expect.poll(async () => (await recordsSince(before)).length).toBe(1);
    expect(await recordsSince(before)).toEqual([['SERVER_LOGOUT', expect.stringContaining(reason)]]);
  });
});

const atOnce = Object.entries(withdrawals).filter(([name]) => !delayed.has(name));

it.each(atOnce)('a file that is closed after its user %s is not delivered', async (_, { login, change }) => {
  await using client = await connect(login);
  const handle = await beginUpload(client, path.toString(), Buffer.alloc(size));
  await peer.rig.database.query(change);
  const answer = await Promise.race([
    client.ask({ type: 'close', id: 3, handle }),
    client.closed.then(() => undefined),
  ]);
  if (answer !== undefined) expect(answer).toMatchObject({ type: 'status', code: statusCode.permissionDenied });
  await client.closed;
  expect(await storedFiles()).toEqual([]);
});

it('the client is told why its session ends', async () => {
  const session = openSftpSession({ port: peer.gateway.sftpPort, user: 'acme', password: 'acme-demo' });
  session.send('pwd');
  await waitFor(() => session.stdout().includes('Remote working directory'), { what: 'the login' });
  await peer.rig.database.query(withdrawalOf('is given another password').change);
  const goodbye = /Received disconnect.*You were logged out: the user has another password/u;
  expect(await waitFor(() => goodbye.test(session.stderr()), { what: 'the goodbye' })).toBe(true);
  session.send('pwd');
  session.send('ls');
  expect((await session.exited).exitCode).not.toBe(0);
});

it.each([
  ['password', 'is given another password'],
  ['key', 'loses the key of the login'],
])('a session by key and password goes on until the %s is another one', async (_, cause) => {
  await peer.rig.database.query(
    `UPDATE directory.partner_users SET definition = definition || '{"authentication": "both"}' ${ofAcme}`,
  );
  await using client = await connectRawSftp({
    port: peer.gateway.sftpPort,
    user: 'acme',
    privateKey: keys.private,
    withBoth: true,
  });
  await peer.rig.database.query(`UPDATE directory.partner_users SET groups = groups ${ofAcme}`);
  await expect(waitFor(() => false, { what: 'nothing', timeoutMs: 2_500 })).rejects.toThrow('in vain');
  expect(await client.ask({ type: 'realpath', id: 1, path: Buffer.from('.') })).toMatchObject({ type: 'name' });
  const before = (await peer.rig.audited()).length;
  await endsAfter(client, cause);
  const record = ['SERVER_LOGOUT', `User acme has been logged out: ${withdrawalOf(cause).reason}`];
  await expect.poll(() => recordsSince(before)).toEqual([record]);
});

describe('a user who loses a permission', () => {
  const without = (permissions: string) => peer.rig.database.query(grants(permissions));
  afterEach(async () => {
    await without(everything);
    // What a user may do is remembered for a second.
    await using client = await connect('password');
    await waitFor(async () => (await openToWrite(client)).type === 'handle', { what: 'the permission to be back' });
  });

  const openToWrite = (client: RawSftpClient) =>
    client.ask({ type: 'open', id: 1, path, flags: openFlag.write | openFlag.create, attributes: {} });

  it('keeps the session', async () => {
    await using client = await connect('password');
    await without('["list"]');
    await waitFor(
      async () => {
        const answer = await openToWrite(client);
        return answer.type === 'status' && answer.code === statusCode.permissionDenied;
      },
      { what: 'the refusal' },
    );
    expect(await client.ask({ type: 'realpath', id: 1, path: Buffer.from('.') })).toMatchObject({ type: 'name' });
  });

  it.each([
    ['as soon as it is closed', false],
    ['as it is written', true],
  ])('to upload is refused with a file that is open, %s, and delivers nothing', async (_, writes) => {
    await using client = await connect('password');
    const handle = await beginUpload(client, path.toString(), Buffer.alloc(size));
    const before = (await peer.rig.audited()).length;
    await without('["list", "download"]');
    const data = Buffer.alloc(1_000);
    if (writes) {
      const denied = async () => {
        const answer = await client.ask({ type: 'write', id: 2, handle, offset: size, data });
        return answer.type === 'status' && answer.code === statusCode.permissionDenied;
      };
      await waitFor(denied, { what: 'the refusal' });
    }
    const answer = await client.ask({ type: 'close', id: 3, handle });
    expect(answer).toMatchObject({ type: 'status', code: statusCode.permissionDenied, message: 'No write permission' });
    expect(await storedFiles()).toEqual([]);
    expect(await recordsSince(before)).toEqual([
      ['SERVER_UPLOAD_FILE', 'Server upload file /inbox/cut was refused: No write permission'],
    ]);
    expect(await client.ask({ type: 'realpath', id: 1, path: Buffer.from('.') })).toMatchObject({ type: 'name' });
  });

  it('to download is refused in the middle of a file', async () => {
    await using client = await connect('password');
    const handle = await openToRead(client);
    await client.ask({ type: 'read', id: 2, handle, offset: 0, length: 1_000 });
    await without('["list", "upload"]');
    const denied = async () => {
      const answer = await client.ask({ type: 'read', id: 2, handle, offset: 0, length: 1_000 });
      return answer.type === 'status' && answer.code === statusCode.permissionDenied;
    };
    expect(await waitFor(denied, { what: 'the refusal' })).toBe(true);
    expect(await client.ask({ type: 'close', id: 3, handle })).toMatchObject({ code: statusCode.ok });
  });
});

it('a session goes on when something changes that its user does not need', async () => {
  await using client = await connect('key');
  const handle = await beginUpload(client, '/inbox/kept', Buffer.alloc(size));
  await peer.rig.database.query(`UPDATE directory.partner_users SET enabled = false WHERE name = 'globex'`);
  await peer.rig.database.query(
    `UPDATE directory.partner_users SET password_hash = password_hash || '-other' ${ofAcme}`,
  );
  await peer.rig.database.query(`UPDATE directory.acl_rules SET grants = '[]' WHERE path = '/outbox'`);
  await expect(waitFor(() => false, { what: 'nothing', timeoutMs: 2_500 })).rejects.toThrow('in vain');
  expect(await client.ask({ type: 'close', id: 3, handle })).toMatchObject({ type: 'status', code: statusCode.ok });
});

// The median, because the slowest ones show how loaded the machine is. That neither a notification nor the poll takes longer is
// shown by `packages/directory/tests/withdrawal-times.test.ts`, whatever the load.
it('sessions end within a second of the withdrawal', () => {
  const sorted = secondsToEnd.toSorted((one, other) => one - other);
  expect(sorted.length).toBeGreaterThan(0);
  expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThan(1);
});
