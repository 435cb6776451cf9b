import { randomUUID } from 'node:crypto';
import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { beginUpload } from './begin-upload.ts';
import { connectRawSftp } from './raw-sftp-client.ts';
import { twoGateways } from './test-gateways.ts';

const peers = twoGateways();
const address = '/platform-application/api/v1/infrastructure/clusters/unfinished-uploads';
const http = (gateway = peers.second) => createHttpClient(gateway.httpUrl);
const connect = (user: string) => connectRawSftp({ port: peers.first.sftpPort, user });

const pageSchema = z.object({
  items: z.array(z.looseObject({ uploadId: z.string(), path: z.string().nullable(), bytes: z.int().nullable() })),
  next: z.string().optional(),
});

async function list(query: Record<string, string> = {}, bearer = peers.rig.tokenOf('Users')) {
  const answer = await http().get(address, { query, bearer });
  expect(answer.status).toBe(200);
  return pageSchema.parse(answer.json());
}
const pathsOf = async (...of: Parameters<typeof list>) => (await list(...of)).items.map(({ path }) => path);
const idOf = async (path: string) => (await list({ path })).items[0]?.uploadId ?? '';
const remove = (id: string, bearer = peers.rig.tokenOf('Operators'), gateway = peers.second) =>
  http(gateway).delete(`${address}/${encodeURIComponent(id)}`, { bearer });
const removals = async () => (await peers.rig.audited()).filter(({ auditCode }) => auditCode === 'AUD0058A');

/** An upload over SFTP that its client leaves. */
async function interrupt(user: string, path: string, content = 'so far'): Promise<void> {
  await using client = await connect(user);
  await beginUpload(client, path, Buffer.from(content));
}

const waitForState = (path: string, state: string) =>
  expect.poll(() => list({ path })).toMatchObject({ items: [{ state }] });

describe('unfinished uploads, for operators', () => {
  // As http-files creates it; tests/end-to-end has the real one.
  beforeAll(() =>
    peers.rig.database.query(`
      CREATE SCHEMA http_files;
      CREATE TABLE http_files.resumable_uploads (id text PRIMARY KEY, blob_id uuid NOT NULL, length bigint, fileset bigint);
      GRANT USAGE ON SCHEMA http_files TO PUBLIC;
      GRANT SELECT (blob_id, length, fileset), DELETE ON http_files.resumable_uploads TO PUBLIC`),
  );
  afterEach(async () => {
    for (const { uploadId } of (await list({ maxItems: '1000' })).items) await remove(uploadId);
    if ((await list()).items.length > 0) throw new Error('an upload is left');
  });

  it('are listed by all peers, the newest first, with filters and pages', async () => {
    await interrupt('globex', '/data/one');
    await interrupt('acme', '/inbox/two', 'hello');
    await waitForState('/inbox/two', 'interrupted');
    await using client = await connect('globex');
    const handle = await beginUpload(client, '/data/three', Buffer.from('hi'));
    const all = await list();
    expect(all).toEqual({
      items: [
        expect.objectContaining({
          userName: 'globex',
          path: '/data/three',
          bytes: 2,
          state: 'running',
          keptUntil: null,
        }),
        {
          uploadId: expect.stringMatching(/^[\da-f-]{36}$/u),
          userName: 'acme',
          actor: 'acme',
          protocol: 'SFTP',
          virtualFileSystem: 'acme-files',
          path: '/inbox/two',
          bytes: 5,
          length: null,
          state: 'interrupted',
          startedAt: expect.stringMatching(/^20.*Z$/u),
          keptUntil: expect.stringMatching(/^20.*Z$/u),
        },
        expect.objectContaining({ path: '/data/one', bytes: 6 }),
      ],
    });
    const both = ['/data/three', '/data/one'];
    for (const query of [
      { userName: 'globex' },
      { actor: 'globex' },
      { virtualFileSystem: 'globex-files' },
      { path: '/data' },
    ])
      expect(await pathsOf(query)).toEqual(both);
    for (const query of [
      { actor: 'unknown' },
      { actor: "' OR true --" },
      { virtualFileSystem: '%' },
      { path: '/dat' },
      { path: '/data/*' },
      { userName: 'globex', actor: 'acme' },
    ])
      expect(await pathsOf(query)).toEqual([]);
    const first = await list({ maxItems: '2', userName: 'globex' });
    expect(first.next).toBeUndefined();
    const page = await list({ maxItems: '2' });
    const link = new URL(page.next ?? '', 'http://none');
    expect([link.pathname, link.searchParams.get('maxItems')]).toEqual([address, '2']);
    expect(await pathsOf(Object.fromEntries(link.searchParams))).toEqual(['/data/one']);
    expect(await client.ask({ type: 'close', id: 9, handle })).toMatchObject({ type: 'status', code: 0 });
    expect(await pathsOf()).toEqual(['/inbox/two', '/data/one']);
  });

  it('are not listed without a right to it, and wrong limits, cursors and filters are refused', async () => {
    const cursor = (text: string) => Buffer.from(text).toString('base64url');
    for (const query of [
      { maxItems: '0' },
      { maxItems: '1001' },
      { maxItems: 'many' },
      { maxItems: '-1' },
      { cursor: 'x' },
      { cursor: cursor('[]') },
      { cursor: cursor('["x"]') },
      { cursor: cursor(`["' OR true --"]`) },
      { cursor: cursor(`["${randomUUID()}","${randomUUID()}"]`) },
      { cursor: 'A'.repeat(5_000) },
      { offset: '1' },
      { actor: '\u0000' },
      { path: 'inbox' },
      { path: '/../inbox' },
      { path: '/\u0000' },
      { userName: '' },
    ])
      expect([query, (await http().get(address, { query, bearer: peers.rig.tokenOf('Users') })).status]).toEqual([
        query,
        400,
      ]);
    expect(await pathsOf({ cursor: cursor(`["${randomUUID()}"]`) })).toEqual([]);
    expect((await http().get(address)).status).toBe(401);
    expect((await http().get(address, { bearer: peers.rig.tokenOf('Auditors') })).status).toBe(403);
    expect((await http().delete(`${address}/${randomUUID()}`)).status).toBe(401);
  });

  it('are deleted once, with their bytes, and audited with the operator and the user', async () => {
    await interrupt('globex', '/data/gone');
    await interrupt('globex', '/data/kept');
    const id = await idOf('/data/gone');
    expect((await remove(id, peers.rig.tokenOf('Users'))).status).toBe(403);
    const before = (await removals()).length;
    const answers = await Promise.all(
      [peers.first, peers.second, peers.first].map((gateway) => remove(id, undefined, gateway)),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 404, 404]);
    expect((await remove(id)).json()).toMatchObject({ code: 'upload_unknown', status: 404 });
    expect(await pathsOf()).toEqual(['/data/kept']);
    const records = (await removals()).slice(before);
    expect(records).toMatchObject([
      {
        auditOperation: 'DELETE',
        entityType: 'Upload',
        entityName: '/data/gone',
        entityId: id,
        context: { address: '127.0.0.1', virtualFileSystem: 'globex-files' },
      },
    ]);
    expect(records[0]?.auditMessage).toBe(
      'User operator has deleted the unfinished upload of /data/gone by user globex',
    );
    await using client = await connect('globex');
    const resumed = await client.ask({ type: 'stat', id: 5, path: Buffer.from('/data/gone') });
    expect(resumed).toMatchObject({ type: 'status', code: 2 });
    expect(await client.ask({ type: 'stat', id: 6, path: Buffer.from('/data/kept') })).toMatchObject({
      type: 'attrs',
    });
  });

  it('are left alone if the id is wrong, and a file stays that an upload has become', async () => {
    for (const id of ['x', "' OR true --", '*', 'A'.repeat(128), `${randomUUID()}x`])
      expect([id, (await remove(id)).status]).toEqual([id, 400]);
    expect((await remove(randomUUID())).json()).toMatchObject({ code: 'upload_unknown' });
    await using client = await connect('globex');
    const handle = await beginUpload(client, '/data/file', Buffer.from('whole'));
    const id = await idOf('/data/file');
    await client.ask({ type: 'close', id: 3, handle });
    expect((await remove(id)).status).toBe(404);
    expect(await client.ask({ type: 'stat', id: 4, path: Buffer.from('/data/file') })).toMatchObject({
      attributes: { size: 5 },
    });
  });

  it('fail for a client that is writing when they are deleted: nothing is stored, and the next upload is', async () => {
    await using client = await connect('globex');
    const handle = await beginUpload(client, '/data/running', Buffer.from('first'));
    expect((await remove(await idOf('/data/running'))).status).toBe(204);
    await client.ask({ type: 'write', id: 7, handle, offset: 5, data: Buffer.from('second') });
    expect(await client.ask({ type: 'close', id: 8, handle })).toMatchObject({
      type: 'status',
      code: 4,
      message: expect.stringMatching(/discarded meanwhile/u),
    });
    expect(await client.ask({ type: 'stat', id: 9, path: Buffer.from('/data/running') })).toMatchObject({ code: 2 });
    const again = await beginUpload(client, '/data/running', Buffer.from('again'));
    expect(await client.ask({ type: 'close', id: 8, handle: again })).toMatchObject({ type: 'status', code: 0 });
  });

  it('show what a client has announced over HTTP, and are forgotten there with the deletion', async () => {
    await interrupt('globex', '/data/announced');
    const id = await idOf('/data/announced');
    await peers.rig.database.query(`INSERT INTO http_files.resumable_uploads VALUES
      ('a', '${id}', 5000000000, NULL), ('b', '${randomUUID()}', 1, NULL)`);
    expect(await list()).toMatchObject({ items: [{ uploadId: id, bytes: 6, length: 5_000_000_000 }] });
    expect((await remove(id)).status).toBe(204);
    expect(await peers.rig.database.query('SELECT id FROM http_files.resumable_uploads')).toEqual([{ id: 'b' }]);
  });

  it('are those of its users for a role that is limited to an actor, which knows of no others and of no jobs', async () => {
    await interrupt('acme', '/inbox/theirs');
    await interrupt('globex', '/data/ours');
    await interrupt('globex', '/data/job');
    const [theirs, ours, ofJob] = [await idOf('/inbox/theirs'), await idOf('/data/ours'), await idOf('/data/job')];
    await peers.rig.database.query(`UPDATE filebox.uploads SET protocol = NULL WHERE blob_id = '${ofJob}'`);
    expect(await list({ path: '/data/job' })).toMatchObject({
      items: [{ protocol: null, actor: null, userName: 'globex' }],
    });
    const bearer = await peers.rig.limitedToken('globex');
    expect(await pathsOf({}, bearer)).toEqual(['/data/ours']);
    for (const query of [
      { userName: 'acme' },
      { actor: 'acme' },
      { virtualFileSystem: 'acme-files' },
      { path: '/inbox' },
    ])
      expect(await pathsOf(query, bearer)).toEqual([]);
    for (const id of [theirs, ofJob])
      expect((await remove(id, bearer)).json()).toMatchObject({ code: 'upload_unknown' });
    expect(await pathsOf()).toEqual(['/data/job', '/data/ours', '/inbox/theirs']);
    expect((await remove(ours, bearer)).status).toBe(204);
    expect(await pathsOf({}, bearer)).toEqual([]);
  });
});
