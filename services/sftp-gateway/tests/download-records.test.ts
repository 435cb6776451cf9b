import { once } from 'node:events';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Transaction } from '@waybill/postgres/database';
import { statusCode } from '@waybill/sftp-protocol/responses/status-code';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { waitFor } from '@waybill/test-kit/wait-for';
import { expect, test } from 'vitest';
import { metricOf } from './metric-of.ts';
import { connectRawSftp, type RawSftpClient } from './raw-sftp-client.ts';
import { oneGateway } from './test-gateways.ts';

const peer = oneGateway();

const content = 'content';

async function open(client: RawSftpClient, path: string, flags: number = openFlag.read): Promise<Buffer> {
  const opened = await client.ask({ type: 'open', id: 1, path: Buffer.from(path), flags, attributes: {} });
  if (opened.type !== 'handle') throw new Error(`OPEN was answered with ${JSON.stringify(opened)}`);
  return opened.handle;
}

const read = (client: RawSftpClient, handle: Buffer, offset = 0) =>
  client.ask({ type: 'read', id: 2, handle, offset, length: 1_000 });
const close = (client: RawSftpClient, handle: Buffer) => client.ask({ type: 'close', id: 3, handle });

async function connectTo(...paths: string[]): Promise<RawSftpClient> {
  const client = await connectRawSftp({ port: peer.gateway.sftpPort, user: 'globex' });
  for (const path of paths) {
    const handle = await open(client, path, openFlag.write | openFlag.create | openFlag.truncate);
    await client.ask({ type: 'write', id: 4, handle, offset: 0, data: Buffer.from(content) });
    await close(client, handle);
  }
  return client;
}

async function download(client: RawSftpClient, path: string, opened?: Buffer): Promise<void> {
  const handle = opened ?? (await open(client, path));
  expect(await read(client, handle)).toMatchObject({ type: 'data', data: Buffer.from(content) });
  expect(await close(client, handle)).toMatchObject({ code: statusCode.ok });
}

/** The audited events of a file, in order. */
const recordOf = async (path: string) =>
  (await peer.rig.audited())
    .filter(({ auditMessage }) => auditMessage.includes(path))
    .map(({ auditOperation }) => auditOperation);

/** Nothing can be audited until this lock is released. */
async function holdRecord() {
  const db = connectPostgres({ url: peer.rig.database.url, applicationName: 'test', poolSize: 1 });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: held, resolve: isHeld } = Promise.withResolvers<void>();
  const holding = db.transaction(async (trx: Transaction) => {
    await trx.raw('LOCK TABLE outbox.events IN SHARE MODE');
    isHeld();
    await released;
  });
  await held;
  return async () => {
    release();
    await holding;
    await db.destroy();
  };
}

/** Downloads cannot be audited until this is undone. */
async function refuseRecord() {
  await peer.rig.database.query(`
    CREATE FUNCTION outbox.refuse_downloads() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'refused by the test';
    END $$;
    CREATE TRIGGER refuse_downloads BEFORE INSERT ON outbox.events FOR EACH ROW
      WHEN (NEW.payload->>'auditOperation' = 'SERVER_DOWNLOAD_FILE') EXECUTE FUNCTION outbox.refuse_downloads();`);
  return () => peer.rig.database.query('DROP FUNCTION outbox.refuse_downloads CASCADE');
}

test('a client does not wait for the record of a download, and receives no other content before it', async () => {
  await using client = await connectTo('/data/first', '/data/second');
  const release = await holdRecord();
  await download(client, '/data/first');
  const handle = await open(client, '/data/second');
  expect(await client.ask({ type: 'fstat', id: 5, handle })).toMatchObject({ attributes: { size: content.length } });
  client.send({ type: 'read', id: 6, handle, offset: 0, length: 1_000 });
  // Nothing is to arrive.
  await expect(
    waitFor(() => client.unread.length > 0 || undefined, { what: 'content', timeoutMs: 300 }),
  ).rejects.toThrow('content');
  await release();
  expect(await client.receive()).toMatchObject({ type: 'data', id: 6 });
  expect(await recordOf('/data/first')).toEqual(['SERVER_UPLOAD_FILE', 'SERVER_DOWNLOAD_FILE']);
});

test('a change after a download is audited after it', async () => {
  await using client = await connectTo('/data/removed', '/data/replaced');
  // Opened before it is written again: a session reads what it is writing itself.
  const reading = await open(client, '/data/replaced');
  const writing = await open(client, '/data/replaced', openFlag.write | openFlag.create | openFlag.truncate);
  const release = await holdRecord();
  await download(client, '/data/replaced', reading);
  client.send({ type: 'close', id: 7, handle: writing });
  await release();
  expect(await client.receive()).toMatchObject({ id: 7, code: statusCode.ok });
  const releaseAgain = await holdRecord();
  await download(client, '/data/removed');
  client.send({ type: 'remove', id: 8, path: Buffer.from('/data/removed') });
  await releaseAgain();
  expect(await client.receive()).toMatchObject({ id: 8, code: statusCode.ok });
  expect(await recordOf('/data/replaced')).toEqual([
    'SERVER_UPLOAD_FILE',
    'SERVER_DOWNLOAD_FILE',
    'SERVER_UPLOAD_FILE',
  ]);
  expect(await recordOf('/data/removed')).toEqual(['SERVER_UPLOAD_FILE', 'SERVER_DOWNLOAD_FILE', 'SERVER_DELETE_FILE']);
});

test('while a download cannot be recorded no content is served; then it is recorded first', async () => {
  await using client = await connectTo('/data/refused', '/data/behind');
  const accept = await refuseRecord();
  const handle = await open(client, '/data/refused');
  expect(await read(client, handle)).toMatchObject({ type: 'data' });
  const behind = await open(client, '/data/behind');
  expect(await read(client, behind)).toMatchObject({ code: statusCode.failure });
  expect(await close(client, handle)).toMatchObject({ code: statusCode.failure });
  expect(await read(client, behind)).toMatchObject({ code: statusCode.failure });
  await accept();
  expect(await read(client, behind)).toMatchObject({ type: 'data' });
  expect(await recordOf('/data/refused')).toEqual(['SERVER_UPLOAD_FILE', 'SERVER_DOWNLOAD_FILE']);
});

const openSessions = () => metricOf(peer.gateway.httpUrl, 'waybill_sftp_sessions');

test('a session ends after its downloads are recorded, and reports one that could not be recorded', async () => {
  for (const isRefused of [false, true]) {
    const path = `/data/last-${isRefused}`;
    await using client = await connectTo(path);
    const undo = isRefused ? await refuseRecord() : await holdRecord();
    const handle = await open(client, path);
    await read(client, handle);
    const exited = once(client.channel, 'exit');
    if (!isRefused) await close(client, handle);
    client.channel.end();
    if (!isRefused) await undo();
    expect(await exited).toEqual([isRefused ? 1 : 0]);
    if (isRefused) {
      // Once more it is tried while the session is cleared up.
      client.connection.end();
      await waitFor(async () => (await openSessions()) === 0, { what: 'the session to be cleared up' });
      await undo();
    }
    expect(await recordOf(path)).toEqual(['SERVER_UPLOAD_FILE', ...(isRefused ? [] : ['SERVER_DOWNLOAD_FILE'])]);
  }
});

test('bytes read earlier by another handle make a download of the rest, which CLOSE records', async () => {
  await using client = await connectTo('/data/parts');
  const tail = await open(client, '/data/parts');
  await read(client, tail, 3);
  await close(client, tail);
  const head = await open(client, '/data/parts');
  await client.ask({ type: 'read', id: 5, handle: head, offset: 0, length: 3 });
  expect(await recordOf('/data/parts')).toEqual(['SERVER_UPLOAD_FILE']);
  await close(client, head);
  expect(await recordOf('/data/parts')).toEqual(['SERVER_UPLOAD_FILE', 'SERVER_DOWNLOAD_FILE']);
});
