import { copyFile as copyOnDisk, mkdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import { createTestObjectStore, type TestObjectStore } from '@waybill/test-kit/create-test-object-store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localBlobLayout } from '../src/blobs/local/local-blob-layout.ts';
import type { FileEntry } from '../src/model/entry.ts';
import type { StorageClasses } from '../src/model/storage.ts';
import type { DamagedFile } from '../src/upkeep/damaged-file.ts';
import { reportVerifications } from '../src/upkeep/report-verifications.ts';
import { verifyFiles, type VerificationProgress } from '../src/upkeep/verify-files.ts';
import { copyFile } from './copy-file.ts';
import { openS3Filebox } from './open-s3-filebox.ts';
import { acme, openTestFilebox, vfsId, type TestFilebox } from './open-test-filebox.ts';

const by = { user: 'root', nodeId: 'node1', managerName: 'manager1' };

async function verify(
  { db, blobDir }: TestFilebox,
  options: { storageClasses?: StorageClasses; vfsId?: string; concurrency?: number } = {},
) {
  const found: DamagedFile[] = [];
  const pace = { concurrency: 2, bytesPerSecond: 10 ** 9 };
  const total = await verifyFiles({ db, blobDir, by, ...pace, ...options, onDamaged: (file) => void found.push(file) });
  const problems = found.map(({ path, problem }) => `${path} ${problem}`).toSorted();
  return { ...total, found, problems };
}

/** Damages contents in every way, by the names of their files. `write` and `remove` bypass the filebox. */
async function ruin(
  files: Record<'flipped' | 'cut' | 'gone' | 'one' | 'two', FileEntry>,
  {
    read,
    write,
    remove,
  }: {
    read(file: FileEntry): Promise<Buffer>;
    write(file: FileEntry, content: Uint8Array): Promise<void>;
    remove(file: FileEntry): Promise<void>;
  },
) {
  const flipped = await read(files.flipped);
  flipped[3] = (flipped[3] ?? 0) ^ 1;
  await write(files.flipped, flipped);
  await write(files.cut, (await read(files.cut)).subarray(0, 4));
  await remove(files.gone);
  const [one, two] = [await read(files.one), await read(files.two)];
  await write(files.one, two);
  await write(files.two, one);
}

const ruined = ['/cut size', '/flipped content', '/gone missing', '/one content', '/two content'];

async function putFiles(box: TestFilebox) {
  await box.put('/sound', 'sound one');
  await box.put('/empty', '');
  return {
    flipped: await box.put('/flipped', 'a byte of it'),
    cut: await box.put('/cut', 'the end of it'),
    gone: await box.put('/gone', 'all of it'),
    one: await box.put('/one', 'content 1'),
    two: await box.put('/two', 'content 2'),
  };
}

let server: TestObjectStore;
beforeAll(async () => {
  server = await createTestObjectStore();
});
afterAll(() => server.stop());

test('on a disk every damage is found, in the file that has it, and nothing else', async () => {
  const box = await openTestFilebox();
  const files = await putFiles(box);
  expect(await verify(box)).toMatchObject({ blobs: 7, bytes: 61, damaged: 0, found: [] });
  const { storedPath } = localBlobLayout(box.blobDir);

  await ruin(files, {
    read: ({ blobId }) => readFile(storedPath(blobId)),
    write: ({ blobId }, content) => writeFile(storedPath(blobId), content),
    remove: ({ blobId }) => rm(storedPath(blobId)),
  });
  const { found, problems, damaged } = await verify(box);
  expect(problems).toEqual(ruined);
  expect(damaged).toBe(5);
  expect(found.find(({ path }) => path === '/gone')).toMatchObject({
    vfsId,
    fileset: files.gone.fileset,
    storageClass: 'local',
    blobId: files.gone.blobId,
  });
});

test('in S3 too, where a store that does not respond is not a damage', async () => {
  const box = await openS3Filebox(server);
  const { storageClass } = box;
  if (storageClass.type !== 's3') throw new Error('not S3');
  const storageClasses = { storageClassOf: async () => 'objects', listStorageClasses: async () => [storageClass] };
  const files = await putFiles(box);
  expect(await verify(box, { storageClasses })).toMatchObject({ blobs: 7, bytes: 61, damaged: 0 });
  const at = ({ blobId }: FileEntry) => ({
    Bucket: server.bucket,
    Key: `${storageClass.prefix}/blobs/${blobId.slice(-2)}/${blobId}`,
  });
  await ruin(files, {
    read: async (file) => {
      const { Body } = await server.client.send(new GetObjectCommand(at(file)));
      return Buffer.from((await Body?.transformToByteArray()) ?? []);
    },
    write: async (file, Body) => {
      await server.client.send(new PutObjectCommand({ ...at(file), Body }));
    },
    remove: async (file) => {
      await server.client.send(new DeleteObjectCommand(at(file)));
    },
  });
  expect((await verify(box, { storageClasses })).problems).toEqual(ruined);

  const away = { ...storageClass, endpoint: 'http://127.0.0.1:1' };
  const unreachable = { ...storageClasses, listStorageClasses: async () => [away] };
  await expect(verify(box, { storageClasses: unreachable })).rejects.toMatchObject({ code: 'service_unavailable' });
});

test('a link or a folder in place of content is missing content', async () => {
  const box = await openTestFilebox();
  const { storedPath } = localBlobLayout(box.blobDir);
  const [linked, folder] = [await box.put('/linked', 'hello'), await box.put('/folder', 'hello')];
  await copyOnDisk(storedPath(linked.blobId), join(box.blobDir, 'elsewhere'));
  for (const { blobId } of [linked, folder]) await rm(storedPath(blobId));
  await symlink(join(box.blobDir, 'elsewhere'), storedPath(linked.blobId));
  await mkdir(storedPath(folder.blobId));
  expect((await verify(box)).problems).toEqual(['/folder missing', '/linked missing']);
});

test('a single VFS is verified on request; content that files share is read once and reported for each', async () => {
  const box = await openTestFilebox();
  const { blobId } = await box.put('/a', 'hello');
  await copyFile(box.filebox, '/a', '/b');
  const elsewhere = { vfsId: '0197a2c4-0000-7000-8000-000000000002' };
  const upload = await box.filebox.beginUpload(elsewhere.vfsId, parseVirtualPath('/c'), {
    origin: acme,
    overwrite: true,
  });
  await using download = await box.filebox.openDownload(vfsId, parseVirtualPath('/a'), { origin: acme });
  await upload.copyFrom(download);
  await upload.commit();
  expect(await verify(box)).toMatchObject({ blobs: 1, bytes: 5, damaged: 0 });
  await truncate(localBlobLayout(box.blobDir).storedPath(blobId), 0);
  expect((await verify(box)).problems).toEqual(['/a size', '/b size', '/c size']);
  expect(await verify(box, elsewhere)).toMatchObject({ blobs: 1, damaged: 1, problems: ['/c size'] });
  expect(await verify(box, { vfsId: 'none' })).toMatchObject({ blobs: 0, damaged: 0 });
});

test('a damage is audited once, is in the metrics until it is gone, and can be repaired', async () => {
  const box = await openTestFilebox();
  const metrics = createMetrics('verify-test');
  reportVerifications({ db: box.db, metrics });
  const { blobId, fileset, dfic } = await box.put('/a', 'hello');
  expect(await metrics.text()).toMatch(/waybill_filebox_verified_timestamp_seconds\{.*\} 0/u);
  const stored = localBlobLayout(box.blobDir).storedPath(blobId);
  await rename(stored, join(box.blobDir, 'aside'));
  for (let run = 0; run < 2; run += 1) expect((await verify(box)).problems).toEqual(['/a missing']);
  const records = (await box.audits()).filter(({ auditCode }) => auditCode === 'AUD0045A');
  const message = `Stored content of file /a FilesetId ${fileset} is damaged: its content is missing`;
  expect(records).toMatchObject([{ dataoneUser: 'root', entityId: fileset, dfiid: dfic.dfiid, auditMessage: message }]);
  expect(await metrics.text()).toMatch(/waybill_filebox_damaged_files\{.*\} 1/u);
  expect(await metrics.text()).toMatch(/waybill_filebox_verified_timestamp_seconds\{.*\} 1\d{9}/u);

  await rename(join(box.blobDir, 'aside'), stored);
  expect((await verify(box)).problems).toEqual([]);
  expect(await metrics.text()).toMatch(/waybill_filebox_damaged_files\{.*\} 0/u);
});

test('progress counts each content once, and ends with all of them', async () => {
  const box = await openTestFilebox();
  for (const name of ['/a', '/b', '/c']) await box.put(name, 'x'.repeat(1_500_000));
  await copyFile(box.filebox, '/a', '/copy');
  const { db, blobDir } = box;
  const told: VerificationProgress[] = [];
  const pace = { concurrency: 2, bytesPerSecond: 10 ** 9 };
  const onProgress = (progress: VerificationProgress) => void told.push(progress);
  const total = await verifyFiles({ db, blobDir, by, ...pace, onDamaged: () => {}, onProgress });
  const totals = { totalBlobs: 3, totalBytes: 4_500_000 };
  expect(told[0]).toEqual({ blobs: 0, bytes: 0, damaged: 0, ...totals });
  expect(told.at(-1)).toEqual({ ...total, ...totals });
  expect(total).toEqual({ blobs: 3, bytes: 4_500_000, damaged: 0 });
  // Also within one content.
  expect(told.some(({ bytes }) => bytes % 1_500_000 !== 0)).toBe(true);
  expect(told.map(({ bytes }) => bytes)).toEqual(told.map(({ bytes }) => bytes).toSorted((one, two) => one - two));
});

test('files that are added, changed and deleted meanwhile are not a damage', async () => {
  const box = await openTestFilebox();
  const names = Array.from({ length: 40 }, (_, index) => `/f${index}`);
  for (const name of names) await box.put(name, name);
  const changing = (async () => {
    for (const name of names) {
      await box.put(name, 'new');
      await box.filebox.deleteFile(vfsId, parseVirtualPath(name), { origin: acme });
    }
  })();
  const runs = await Promise.all([verify(box, { concurrency: 4 }), verify(box), verify(box)]);
  await changing;
  for (const { problems } of runs) expect(problems).toEqual([]);
});

test('with more than one page of contents each is read exactly once', async () => {
  const box = await openTestFilebox();
  const { id } = await box.put('/sound', 'x');
  await box.db.raw(
    `INSERT INTO filebox.entries (vfs_id, parent_id, kind, name, owner, storage_class, blob_id, size, sha256, media_type,
       put_at, metadata, system_metadata, dfic)
     SELECT vfs_id, parent_id, kind, 'n' || n, owner, storage_class, gen_random_uuid(), size, sha256, media_type, put_at,
       metadata, system_metadata, dfic
     FROM filebox.entries, generate_series(1, 620) n WHERE id = ?`,
    [id],
  );
  const { blobs, damaged, problems } = await verify(box, { concurrency: 8 });
  expect({ blobs, damaged, names: new Set(problems).size }).toEqual({ blobs: 621, damaged: 620, names: 620 });
});

test('without a storage folder nothing is created, and nothing is reported', async () => {
  const box = await openTestFilebox();
  await box.put('/a', 'hello');
  const nowhere = { ...box, blobDir: join(box.blobDir, 'nowhere') };
  await expect(verify(nowhere)).rejects.toMatchObject({ code: 'service_unavailable' });
  expect(await box.db('filebox.damaged_blobs')).toEqual([]);
});
