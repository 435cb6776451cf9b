import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import { expect, onTestFinished, test } from 'vitest';
import { openLocalBlobStore } from '../src/blobs/local/local-blob-store.ts';
import { openUnfinishedUploads } from '../src/unfinished/open-unfinished-uploads.ts';
import type { UnfinishedUploadQuery } from '../src/unfinished/unfinished-uploads.ts';
import { createUploadReport } from '../src/upkeep/report-uploads.ts';
import { sweepRemovals } from '../src/upkeep/sweep-removals.ts';
import { acme, openTestFilebox, type TestFilebox, vfsId } from './open-test-filebox.ts';

const globex = { ...acme, userName: userNameSchema.parse('globex'), actorName: 'globex' };
const everybody = { ofUsers: undefined, within: async () => {} };

async function open() {
  const box = await openTestFilebox();
  const folders = ['/inbox/deep', '/inbox2'].map(parseVirtualPath);
  await box.filebox.ensureFolders(vfsId, folders);
  const unfinished = await openUnfinishedUploads({ db: box.db, blobDir: box.blobDir });
  onTestFinished(() => unfinished[Symbol.asyncDispose]());
  const names = async (query: Partial<UnfinishedUploadQuery> = {}) =>
    (await unfinished.list({ ofUsers: undefined, limit: 100, ...query })).map(({ path }) => path);
  return { ...box, unfinished, names };
}

async function begin({ filebox }: Pick<TestFilebox, 'filebox'>, path: string, content: string, origin = acme) {
  const upload = await filebox.beginUpload(vfsId, parseVirtualPath(path), {
    origin,
    overwrite: true,
    resumable: true,
  });
  await upload.write(Buffer.from(content), 0);
  return upload;
}

const beginById = ({ filebox }: Pick<TestFilebox, 'filebox'>, path: string, keptUntil: Date) =>
  filebox.uploadsById.begin({
    vfsId,
    path: parseVirtualPath(path),
    keptUntil,
    userName: acme.userName,
    protocol: 'HTTP',
    overwrite: true,
  });

test('uploads that run or were interrupted are listed with their size, the newest first, over any protocol', async () => {
  const box = await open();
  const suspended = await begin(box, '/inbox/a.csv', 'hello');
  await suspended.suspend();
  const running = await begin(box, '/inbox/b.csv', 'hi', { ...acme, protocol: 'HTTP' });
  const keptUntil = new Date(Date.now() + 3_600_000);
  const byId = await beginById(box, '/c.csv', keptUntil);
  const ofJob = await begin(box, '/d.csv', '', { ...globex, protocol: undefined });
  await box.put('/inbox/done.csv', 'stored');
  const shared = { vfsId, userName: 'acme', startedAt: expect.any(Date), keptUntil: expect.any(Date) };
  expect(await box.unfinished.list({ ofUsers: undefined, limit: 100 })).toEqual([
    { ...shared, blobId: ofJob.blobId, path: '/d.csv', userName: 'globex', isHeld: true, size: 0 },
    { ...shared, blobId: byId, path: '/c.csv', protocol: 'HTTP', isHeld: false, size: 0, keptUntil },
    { ...shared, blobId: running.blobId, path: '/inbox/b.csv', protocol: 'HTTP', isHeld: true, size: 2 },
    { ...shared, blobId: suspended.blobId, path: '/inbox/a.csv', protocol: 'SFTP', isHeld: false, size: 5 },
  ]);
  const metrics = createMetrics('test');
  await createUploadReport({ db: box.db, metrics })();
  for (const state of ['running', 'interrupted']) {
    const labels = `state="${state}",service="test"`;
    expect(await metrics.text()).toContain(`waybill_filebox_unfinished_uploads{${labels}} 2`);
    expect(await metrics.text()).toMatch(
      new RegExp(`^waybill_filebox_oldest_unfinished_upload_seconds\\{${labels}\\} [0-9.]+$`, 'mu'),
    );
  }
  await running.commit();
  await ofJob.discard();
  expect(await box.names()).toEqual(['/c.csv', '/inbox/a.csv']);
});

test('the list has filters and pages, which stay right while uploads come and go', async () => {
  const box = await open();
  for (const path of ['/inbox/a', '/inbox/deep/b', '/inbox2/c', '/inbox/A', '/d'])
    await (await begin(box, path, 'x', path === '/d' ? globex : acme)).suspend();
  expect(await box.names({ path: parseVirtualPath('/inbox') })).toEqual(['/inbox/A', '/inbox/deep/b', '/inbox/a']);
  expect(await box.names({ path: parseVirtualPath('/inbox/a') })).toEqual(['/inbox/a']);
  expect(await box.names({ path: parseVirtualPath('/') })).toHaveLength(5);
  expect(await box.names({ path: parseVirtualPath('/inbox/_') })).toEqual([]);
  expect(await box.names({ userName: 'globex' })).toEqual(['/d']);
  expect(await box.names({ vfsIds: [vfsId, 'another'] })).toHaveLength(5);
  expect(await box.names({ vfsIds: ['another'] })).toEqual([]);
  expect(await box.names({ vfsIds: [] })).toEqual([]);

  const first = await box.unfinished.list({ ofUsers: undefined, limit: 2 });
  expect(first.map(({ path }) => path)).toEqual(['/d', '/inbox/A']);
  const before = first.at(-1)?.blobId ?? '';
  // The last one of the page goes, and one more comes.
  await box.unfinished.discard(before, everybody);
  await (await begin(box, '/new', 'x')).suspend();
  expect(await box.names({ before, limit: 2 })).toEqual(['/inbox2/c', '/inbox/deep/b']);
});

test('only those of some users are reached, and none of a job: its user may only have the same name', async () => {
  const box = await open();
  const [theirs, own] = [await begin(box, '/a', 'x'), await begin(box, '/b', 'x', globex)];
  const ofJob = await begin(box, '/c', 'x', { ...globex, protocol: undefined });
  const reach = { ofUsers: ['globex', 'nobody'] };
  expect(await box.names(reach)).toEqual(['/b']);
  expect(await box.names({ ofUsers: [] })).toEqual([]);
  for (const { blobId } of [theirs, ofJob])
    expect(await box.unfinished.discard(blobId, { ...everybody, ...reach })).toBeUndefined();
  expect(await box.unfinished.discard(own.blobId, { ...everybody, ...reach })).toMatchObject({ path: '/b' });
  for (const upload of [theirs, ofJob]) await upload.commit();
  await expect(own.commit()).rejects.toMatchObject({ code: 'upload_incomplete' });
});

test('a discarded upload is gone with its bytes, once, and can neither be written, resumed nor committed', async () => {
  const box = await open();
  const upload = await begin(box, '/inbox/a', 'hello');
  await upload.suspend();
  const held = await begin(box, '/inbox/b', 'hello');
  const told: string[] = [];
  const within = async (_: unknown, { path = 'no folder' }: { path?: string | undefined }) => void told.push(path);
  const both = await Promise.all(
    [upload.blobId, upload.blobId, held.blobId].map((id) => box.unfinished.discard(id, { ...everybody, within })),
  );
  expect(both.filter((one) => one !== undefined)).toHaveLength(2);
  expect(new Set(told)).toEqual(new Set(['/inbox/a', '/inbox/b']));
  expect(told).toHaveLength(2);
  expect(await box.heldBlobs()).toEqual([]);
  expect((await box.db.raw('SELECT FROM filebox.blob_removals')).rows).toEqual([]);
  await expect(held.commit()).rejects.toMatchObject({
    code: 'upload_incomplete',
    message: 'The upload was discarded meanwhile',
  });
  expect(await box.get('/inbox/b')).toBeUndefined();
  await using again = await box.filebox.beginUpload(vfsId, parseVirtualPath('/inbox/a'), {
    origin: acme,
    overwrite: true,
    resumable: true,
    resume: true,
  });
  expect([again.size(), again.blobId === upload.blobId]).toEqual([0, false]);
});

test('a failure of the transaction keeps the upload, and bytes that cannot be removed stay on the list of removals', async () => {
  const box = await open();
  const upload = await begin(box, '/inbox/a', 'hello');
  const within = async () => Promise.reject(new Error('no room for the audit record'));
  await expect(box.unfinished.discard(upload.blobId, { ...everybody, within })).rejects.toThrow('no room');
  expect(await box.names()).toEqual(['/inbox/a']);
  await upload.commit();
  expect(await box.get('/inbox/a')).toBe('hello');
  expect(await box.unfinished.discard(upload.blobId, everybody)).toBeUndefined();
  expect(await box.get('/inbox/a')).toBe('hello');

  // An upload to a class of storage that this process does not know.
  const other = await begin(box, '/inbox/b', 'hello');
  await box.db.raw("UPDATE filebox.uploads SET storage_class = 'gone' WHERE blob_id = ?", [other.blobId]);
  expect(await box.unfinished.list({ ofUsers: undefined, limit: 9 })).toMatchObject([{ size: undefined }]);
  expect(await box.unfinished.discard(other.blobId, everybody)).toMatchObject({ path: '/inbox/b' });
  await box.db.raw("UPDATE filebox.blob_removals SET storage_class = 'local'");
  await using store = await openLocalBlobStore({ dir: box.blobDir });
  await sweepRemovals({ db: box.db, store, signal: new AbortController().signal });
  expect(await box.heldBlobs()).toHaveLength(1);
});

test('what was stored while somebody discards it is stored whole, or not at all', async () => {
  const box = await open();
  for (let round = 0; round < 20; round += 1) {
    const upload = await begin(box, `/inbox/${round}`, 'hello');
    const [committed, discarded] = await Promise.allSettled([
      upload.commit(),
      box.unfinished.discard(upload.blobId, everybody),
    ]);
    if (discarded.status === 'rejected') throw discarded.reason;
    expect(committed.status).toBe(discarded.value === undefined ? 'fulfilled' : 'rejected');
    const expected = discarded.value === undefined ? 'hello' : undefined;
    expect(await box.get(`/inbox/${round}`)).toBe(expected);
    if (committed.status === 'rejected')
      expect(committed.reason).toMatchObject({ code: expect.stringMatching(/^upload_incomplete$/u) });
  }
});

test('an upload of a file that was deleted, and one whose folder is gone, do not break the list', async () => {
  const box = await open();
  await box.put('/inbox/a', 'old');
  const following = await box.filebox.beginUpload(vfsId, parseVirtualPath('/inbox/a'), {
    origin: acme,
    overwrite: true,
    followsFile: true,
    resume: 'file',
  });
  await box.filebox.deleteFile(vfsId, parseVirtualPath('/inbox/a'), { origin: acme });
  expect(await box.names()).toEqual([]);
  expect(await box.unfinished.discard(following.blobId, everybody)).toBeUndefined();
  await following.discard();
  const lost = await begin(box, '/inbox/deep/b', 'x');
  await box.db.raw('UPDATE filebox.uploads SET parent_id = -1 WHERE blob_id = ?', [lost.blobId]);
  expect(await box.names()).toEqual([undefined]);
  expect(await box.names({ path: parseVirtualPath('/inbox') })).toEqual([]);
  expect(await box.unfinished.discard(lost.blobId, everybody)).toMatchObject({ blobId: lost.blobId, path: undefined });
  await writeFile(join(box.blobDir, 'incoming', 'foreign'), '');
  expect(await box.names()).toEqual([]);
});
