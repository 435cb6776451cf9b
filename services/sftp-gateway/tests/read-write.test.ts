import { createHash } from 'node:crypto';
import type { SftpResponse } from '@waybill/sftp-protocol/responses/sftp-response';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { waitFor } from '@waybill/test-kit/wait-for';
import { describe, expect, it } from 'vitest';
import { connectRawSftp, type RawSftpClient } from './raw-sftp-client.ts';
import { oneGateway } from './test-gateways.ts';

const { read, write, append, create, truncate } = openFlag;

const peer = oneGateway();

const connect = (user = 'globex') => connectRawSftp({ port: peer.gateway.sftpPort, user });

async function open(client: RawSftpClient, path: string, flags: number): Promise<Buffer> {
  const opened = await client.ask({ type: 'open', id: 1, path: Buffer.from(path), flags, attributes: {} });
  if (opened.type !== 'handle') throw new Error(`OPEN was answered with ${JSON.stringify(opened)}`);
  return opened.handle;
}

const writeTo = (client: RawSftpClient, handle: Buffer, offset: number, text: string) =>
  client.ask({ type: 'write', id: 2, handle, offset, data: Buffer.from(text) });

/** The data of a READ; undefined at the end. */
async function readFrom(client: RawSftpClient, handle: Buffer, offset = 0): Promise<string | undefined> {
  const answer = await client.ask({ type: 'read', id: 3, handle, offset, length: 1_000 });
  if (answer.type === 'data') return answer.data.toString();
  if (answer.type === 'status' && answer.code === 1) return undefined;
  throw new Error(`READ was answered with ${JSON.stringify(answer)}`);
}

const close = (client: RawSftpClient, handle: Buffer) => client.ask({ type: 'close', id: 4, handle });

const isOk = (answer: SftpResponse): boolean => answer.type === 'status' && answer.code === 0;

async function put(path: string, text: string): Promise<void> {
  await using client = await connect();
  const handle = await open(client, path, write | create | truncate);
  await writeTo(client, handle, 0, text);
  await close(client, handle);
}

async function get(path: string): Promise<string | undefined> {
  await using client = await connect();
  const handle = await open(client, path, read);
  return await readFrom(client, handle);
}

const uploadsOnRecord = async (path: string) =>
  (await peer.rig.audited()).filter(
    ({ auditOperation, auditMessage }) => auditOperation === 'SERVER_UPLOAD_FILE' && auditMessage.includes(path),
  ).length;

describe('a file opened for reading and writing', () => {
  it('is read with what was written to it, while others read the old version until it is closed', async () => {
    await put('/data/both.txt', 'one two three');
    await using client = await connect();
    const handle = await open(client, '/data/both.txt', read | write);
    expect(await readFrom(client, handle)).toBe('one two three');
    await writeTo(client, handle, 4, 'TWO');
    await writeTo(client, handle, 13, ' four');
    expect(await readFrom(client, handle)).toBe('one TWO three four');
    expect(await readFrom(client, handle, 18)).toBeUndefined();
    expect(await client.ask({ type: 'fstat', id: 5, handle })).toMatchObject({ attributes: { size: 18 } });
    expect(await get('/data/both.txt')).toBe('one two three');
    expect(await close(client, handle)).toMatchObject({ code: 0 });
    expect(await get('/data/both.txt')).toBe('one TWO three four');
  });

  it('includes writes that are not answered yet', async () => {
    await using client = await connect();
    const handle = await open(client, '/data/pipelined', read | write | create | truncate);
    for (let index = 0; index < 20; index += 1) {
      client.send({ type: 'write', id: index, handle, offset: index, data: Buffer.from(String(index % 10)) });
    }
    client.send({ type: 'read', id: 20, handle, offset: 0, length: 1_000 });
    const answers = await Promise.all(Array.from({ length: 21 }, () => client.receive()));
    const data = answers.find(({ type }) => type === 'data');
    expect(data?.type === 'data' && data.data.toString()).toBe('01234567890123456789');
  });

  it('that is only read is not committed again, and is audited as downloaded', async () => {
    await put('/data/looked-at', 'content');
    const before = await uploadsOnRecord('/data/looked-at');
    await using client = await connect();
    const handle = await open(client, '/data/looked-at', read | write);
    expect(await readFrom(client, handle)).toBe('content');
    await close(client, handle);
    expect(await uploadsOnRecord('/data/looked-at')).toBe(before);
    const content = { fileSize: 7, fileHash: createHash('sha256').update('content').digest('hex') };
    const records = (await peer.rig.audited()).filter(({ auditMessage }) => auditMessage.includes('/data/looked-at'));
    expect(records).toMatchObject([
      { auditOperation: 'SERVER_UPLOAD_FILE', context: content },
      { auditOperation: 'SERVER_DOWNLOAD_FILE', context: content },
    ]);
  });

  it('that was read to its end is audited even if the client disconnects after a write', async () => {
    await put('/data/vanishing', 'content');
    {
      await using client = await connect();
      const handle = await open(client, '/data/vanishing', read | write);
      await writeTo(client, handle, 0, 'C');
      expect(await readFrom(client, handle)).toBe('Content');
    }
    await waitFor(
      async () =>
        (await peer.rig.audited()).some(
          ({ auditOperation, auditMessage }) =>
            auditOperation === 'SERVER_DOWNLOAD_FILE' && auditMessage.includes('/data/vanishing'),
        ),
      { what: 'the download to be audited' },
    );
    expect(await get('/data/vanishing')).toBe('content');
  });

  it('appends writes at its end and reads them', async () => {
    await put('/data/log', 'one\n');
    await using client = await connect();
    const handle = await open(client, '/data/log', read | write | append);
    await writeTo(client, handle, 0, 'two\n');
    expect(await readFrom(client, handle)).toBe('one\ntwo\n');
    await close(client, handle);
    expect(await get('/data/log')).toBe('one\ntwo\n');
  });
});

describe('a file opened for writing only', () => {
  it('cannot be read', async () => {
    await using client = await connect();
    const handle = await open(client, '/data/write-only', write | create | truncate);
    const answer = await client.ask({ type: 'read', id: 1, handle, offset: 0, length: 10 });
    expect(answer).toMatchObject({ code: 4, message: expect.stringContaining('not open for reading') });
  });
});

describe('the size of a file', () => {
  const resize = (client: RawSftpClient, path: string, size: number) =>
    client.ask({ type: 'setstat', id: 6, path: Buffer.from(path), attributes: { size } });

  it('is changed by path: a new version, truncated or extended with zeros', async () => {
    await put('/data/resized', 'content');
    await using client = await connect();
    expect(await resize(client, '/data/resized', 4)).toMatchObject({ code: 0 });
    expect(await get('/data/resized')).toBe('cont');
    expect(await resize(client, '/data/resized', 6)).toMatchObject({ code: 0 });
    expect(await get('/data/resized')).toBe('cont\0\0');
    expect(await resize(client, '/data/resized', 0)).toMatchObject({ code: 0 });
    expect(await get('/data/resized')).toBeUndefined();
  });

  it('that is unchanged creates no new version', async () => {
    await put('/data/same-size', 'content');
    const before = await uploadsOnRecord('/data/same-size');
    await using client = await connect();
    expect(await resize(client, '/data/same-size', 7)).toMatchObject({ code: 0 });
    expect(await uploadsOnRecord('/data/same-size')).toBe(before);
  });

  it('of an interrupted upload is changed without committing it', async () => {
    {
      await using client = await connect();
      await writeTo(client, await open(client, '/data/interrupted', write | create | truncate), 0, 'so far');
    }
    await using client = await connect();
    // The upload is held until its session has ended on the server too.
    await waitFor(async () => (await resize(client, '/data/interrupted', 2).then(isOk)) || undefined, {
      what: 'the upload to be free',
    });
    const stat = await client.ask({ type: 'stat', id: 7, path: Buffer.from('/data/interrupted') });
    expect(stat).toMatchObject({ attributes: { size: 2 } });
    expect(await uploadsOnRecord('/data/interrupted')).toBe(0);
  });

  it('cannot be changed without the upload permission', async () => {
    await using client = await connect('acme');
    expect(await resize(client, '/outbox/none', 0)).toMatchObject({ code: 2 });
    expect(await resize(client, '/outbox', 5)).toMatchObject({ code: 3 });
  });
});

describe('the mode and the owner of a file', () => {
  const attributes = { permissions: 0o100_640, ownership: { uid: 1000, gid: 50 } };
  const kept = { 'sftp.mode': '0640', 'sftp.owner': '1000:50' };
  const setByPath = (client: RawSftpClient, path: string) =>
    client.ask({ type: 'setstat', id: 6, path: Buffer.from(path), attributes });
  const metadataOf = async (name: string) =>
    (await peer.rig.database.query('select metadata from filebox.entries where name = $1', [name]))[0]?.['metadata'];

  it('are stored as its metadata, set by path, by a reading handle, and before the commit, and start nothing', async () => {
    await put('/data/by-path', 'content');
    await put('/data/by-handle', 'content');
    const announced = () =>
      peer.rig.database.query("select 1 from outbox.events where payload->>'kind' = 'metadataUpdated'");
    await using client = await connect();
    expect(await setByPath(client, '/data/by-path')).toMatchObject({ code: 0 });
    const reading = await open(client, '/data/by-handle', read);
    expect(await client.ask({ type: 'fsetstat', id: 6, handle: reading, attributes })).toMatchObject({ code: 0 });
    const writing = await open(client, '/data/written', write | create | truncate);
    for (const part of [{ permissions: 0o640 }, { ownership: attributes.ownership }]) {
      expect(await client.ask({ type: 'fsetstat', id: 6, handle: writing, attributes: part })).toMatchObject({
        code: 0,
      });
    }
    await close(client, writing);
    for (const name of ['by-path', 'by-handle', 'written']) expect(await metadataOf(name)).toEqual(kept);
    expect(await announced()).toEqual([]);
    // Setting them again changes nothing.
    expect(await setByPath(client, '/data/by-path')).toMatchObject({ code: 0 });
    const changes = (await peer.rig.audited()).filter(({ auditMessage }) =>
      auditMessage.includes('metadata of file /data/by-path'),
    );
    expect(changes).toMatchObject([
      { dataoneUser: 'globex', auditMessage: expect.stringMatching(/: sftp\.mode, sftp\.owner$/u) },
    ]);
  });

  it('are accepted for folders and unfinished uploads, and refused without the upload permission', async () => {
    await using client = await connect();
    await open(client, '/data/unfinished', write | create | truncate);
    for (const path of ['/data', '/data/unfinished']) {
      expect(await setByPath(client, path)).toMatchObject({ code: 0 });
    }
    await using other = await connect('acme');
    await close(other, await open(other, '/inbox/settled', write | create | truncate));
    await peer.rig.database.query(
      "update filebox.entries set parent_id = (select id from filebox.entries where name = 'outbox') where name = 'settled'",
    );
    expect(await setByPath(other, '/outbox/settled')).toMatchObject({
      code: 3,
      message: expect.stringMatching(/No write permission/u),
    });
    expect(await metadataOf('settled')).toEqual({});
  });
});

describe('a user who may write but not read', () => {
  it('opens for both and commits, and is refused the reading', async () => {
    await using client = await connect('acme');
    const handle = await open(client, '/dropbox/blind.txt', read | write | create);
    await writeTo(client, handle, 0, 'blind');
    const answer = await client.ask({ type: 'read', id: 1, handle, offset: 0, length: 10 });
    expect(answer).toMatchObject({ code: 3, message: expect.stringContaining('read') });
    expect(await close(client, handle)).toMatchObject({ code: 0 });
  });
});
