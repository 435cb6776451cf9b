import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginUpload } from './begin-upload.ts';
import { connectRawSftp, type RawSftpClient } from './raw-sftp-client.ts';
import { oneGateway } from './test-gateways.ts';

const peer = oneGateway({ rig: { users: [{ name: 'colleague', password: 'colleague-demo' }] } });
let client: RawSftpClient;

beforeAll(async () => {
  client = await connect('globex');
});
afterAll(async () => {
  await client?.[Symbol.asyncDispose]();
});

const connect = (user: string) => connectRawSftp({ port: peer.gateway.sftpPort, user });
const path = (name: string) => Buffer.from(`/data/${name}`);
const done = { type: 'status', code: 0 };
const failure = (message: RegExp) => ({ type: 'status', code: 4, message: expect.stringMatching(message) });

async function makeFolder(name: string): Promise<void> {
  expect(await client.ask({ type: 'mkdir', id: 1, path: path(name), attributes: {} })).toMatchObject(done);
}
const removeFolder = (by: RawSftpClient, name: string) => by.ask({ type: 'rmdir', id: 2, path: path(name) });

describe('a folder with an unfinished upload', () => {
  it('is not empty for the uploader, until the upload ends or is deleted', async () => {
    await makeFolder('running');
    const handle = await beginUpload(client, '/data/running/file', Buffer.from('so far'));
    expect(await removeFolder(client, 'running')).toMatchObject(failure(/not empty/iu));
    expect(await client.ask({ type: 'close', id: 3, handle })).toMatchObject(done);
    expect(await client.ask({ type: 'remove', id: 4, path: path('running/file') })).toMatchObject(done);
    expect(await removeFolder(client, 'running')).toMatchObject(done);

    await makeFolder('interrupted');
    {
      await using cut = await connect('globex');
      await beginUpload(cut, '/data/interrupted/file', Buffer.from('so far'));
    }
    expect(await removeFolder(client, 'interrupted')).toMatchObject(failure(/not empty/iu));
    const remove = () => client.ask({ type: 'remove', id: 4, path: path('interrupted/file') });
    await waitFor(async () => ((await remove()) as { code?: number }).code === 0, { what: 'the upload to be free' });
    expect(await removeFolder(client, 'interrupted')).toMatchObject(done);
  });

  it('is empty for another user, who sees nothing in it', async () => {
    await makeFolder('shared');
    await using other = await connect('colleague');
    const handle = await beginUpload(client, '/data/shared/file', Buffer.from('so far'));
    expect(await removeFolder(other, 'shared')).toMatchObject(done);
    expect(await client.ask({ type: 'close', id: 3, handle })).toMatchObject({ type: 'status', code: 2 });
  });
});

describe('an unfinished upload', () => {
  it('reserves its name: the uploader can neither create nor remove a folder of that name', async () => {
    await beginUpload(client, '/data/taken', Buffer.from('so far'));
    const made = { type: 'mkdir', id: 9, path: path('taken'), attributes: {} } as const;
    expect(await client.ask(made)).toMatchObject(failure(/already something of that name/u));
    await using other = await connect('colleague');
    expect(await other.ask(made)).toMatchObject(done);
    expect(await client.ask({ type: 'remove', id: 10, path: path('taken') })).toMatchObject(
      failure(/folder|not a file/iu),
    );
    const left = "select 1 from filebox.uploads where name = 'taken'";
    expect(await peer.rig.database.query(left)).toHaveLength(1);
  });

  it('can neither be read nor renamed by other sessions, and the response states the reason', async () => {
    await using writer = await connect('globex');
    await beginUpload(writer, '/data/unfinished', Buffer.from('so far'));
    const why = failure(/'unfinished' is an upload that is not finished/u);
    const opened = { type: 'open', id: 5, path: path('unfinished'), flags: openFlag.read, attributes: {} } as const;
    expect(await client.ask(opened)).toMatchObject(why);
    const renamed = { type: 'rename', id: 6, oldPath: path('unfinished'), newPath: path('finished') } as const;
    expect(await client.ask(renamed)).toMatchObject(why);
    await using other = await connect('colleague');
    expect(await other.ask(opened)).toMatchObject({ type: 'status', code: 2 });
    expect(await other.ask(renamed)).toMatchObject({ type: 'status', code: 2 });
  });

  it('can be removed by another session of its user only after its session has ended', async () => {
    await makeFolder('held');
    const remove = () => client.ask({ type: 'remove', id: 4, path: path('held/draft') });
    const left = "select 1 from filebox.uploads where name = 'draft'";
    {
      await using writer = await connect('globex');
      await beginUpload(writer, '/data/held/draft', Buffer.from('so far'));
      expect(await remove()).toMatchObject(failure(/still being written/u));
      expect(await removeFolder(client, 'held/draft')).toMatchObject({ type: 'status', code: 4 });
      expect(await removeFolder(client, 'held')).toMatchObject(failure(/not empty/iu));
      expect(await peer.rig.database.query(left)).toHaveLength(1);
    }
    await waitFor(async () => ((await remove()) as { code?: number }).code === 0, { what: 'the session to end' });
    expect(await peer.rig.database.query(left)).toEqual([]);
    expect(await remove()).toMatchObject({ type: 'status', code: 2 });
    expect(await removeFolder(client, 'held')).toMatchObject(done);
  });

  it('of another session accepts a time, a mode and an owner without storing them', async () => {
    await beginUpload(client, '/data/elsewhere', Buffer.from('so far'));
    await using again = await connect('globex');
    const times = { accessed: 1_600_000_000, modified: 1_600_000_000 };
    const attributes = { permissions: 0o100_640, times };
    const answer = await again.ask({ type: 'setstat', id: 7, path: path('elsewhere'), attributes });
    expect(answer).toMatchObject(done);
  });

  it('of the same session is committed with what was set by its path', async () => {
    const handle = await beginUpload(client, '/data/named', Buffer.from('all and more'));
    const times = { accessed: 1_600_000_000, modified: 1_600_000_000 };
    const attributes = { size: 3, permissions: 0o100_640, times };
    expect(await client.ask({ type: 'setstat', id: 7, path: path('named'), attributes })).toMatchObject(done);
    expect(await client.ask({ type: 'close', id: 8, handle })).toMatchObject(done);
    expect(
      await peer.rig.database.query(
        `select size::int as size, metadata, extract(epoch from modified_at)::int as modified
         from filebox.entries where name = 'named'`,
      ),
    ).toEqual([{ size: 3, metadata: { 'sftp.mode': '0640' }, modified: 1_600_000_000 }]);
  });
});
