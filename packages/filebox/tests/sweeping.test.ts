import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import { expect, test } from 'vitest';
import { openLocalBlobStore } from '../src/blobs/local/local-blob-store.ts';
import { startSweeper } from '../src/upkeep/start-sweeper.ts';
import { sweepOrphans } from '../src/upkeep/sweep-orphans.ts';
import { sweepRemovals } from '../src/upkeep/sweep-removals.ts';
import { sweepUploads } from '../src/upkeep/sweep-uploads.ts';
import { ageEverything } from './age-everything.ts';
import { acme, openTestFilebox, vfsId, type TestFilebox } from './open-test-filebox.ts';

const path = parseVirtualPath('/inbox/a.csv');
const { signal } = new AbortController();
const strayId = '0197a2c4-6f3b-7c1e-9d52-2f6e0c9b1a77';

async function openWithInbox() {
  const box = await openTestFilebox();
  await box.filebox.ensureFolders(vfsId, [parseVirtualPath('/inbox')]);
  return box;
}

async function begin(box: TestFilebox, content: string) {
  const upload = await box.filebox.beginUpload(vfsId, path, { origin: acme, overwrite: true, resumable: true });
  await upload.write(Buffer.from(content), 0);
  return upload;
}

async function sweep({ db, blobDir }: TestFilebox) {
  await using store = await openLocalBlobStore({ dir: blobDir });
  return {
    uploads: await sweepUploads({ db, signal }),
    removals: await sweepRemovals({ db, store, signal }),
    orphans: await sweepOrphans({ db, store, signal }),
  };
}

test('a suspended upload is removed with its bytes after a day, not before', async () => {
  const box = await openWithInbox();
  await (await begin(box, 'x')).suspend();
  expect(await sweep(box)).toEqual({ uploads: 0, removals: 0, orphans: 0 });
  expect(await box.heldBlobs()).toHaveLength(1);
  await ageEverything(box.db, box.blobDir);
  expect(await sweep(box)).toEqual({ uploads: 1, removals: 1, orphans: 0 });
  expect(await box.heldBlobs()).toEqual([]);
  expect(await box.filebox.find(vfsId, path, { includeUploadOf: acme.userName })).toBeUndefined();
});

test('an upload that is still held is not swept, however old its bytes and its start are', async () => {
  const box = await openWithInbox();
  const upload = await begin(box, 'x');
  await ageEverything(box.db, box.blobDir);
  await box.db.raw(`UPDATE filebox.uploads SET started_at = started_at - interval '9 days', lease_until = now()`);
  expect(await sweep(box)).toEqual({ uploads: 0, removals: 0, orphans: 0 });
  expect(await upload.commit()).toMatchObject({ size: 1 });
});

test('a swept upload cannot be committed', async () => {
  const box = await openWithInbox();
  const upload = await begin(box, 'x');
  await ageEverything(box.db, box.blobDir);
  expect(await sweep(box)).toMatchObject({ uploads: 1 });
  await expect(upload.commit()).rejects.toMatchObject({
    code: expect.stringMatching(/upload_incomplete|content_missing/u),
  });
  expect(await box.filebox.find(vfsId, path)).toBeUndefined();
  expect(await box.audits()).toEqual([]);
});

test('files in the index are never swept', async () => {
  const box = await openWithInbox();
  await box.put('/inbox/a.csv', 'hello');
  await ageEverything(box.db, box.blobDir);
  expect(await sweep(box)).toEqual({ uploads: 0, removals: 0, orphans: 0 });
  expect(await box.get('/inbox/a.csv')).toBe('hello');
});

test('an unknown blob is removed after a day, not before', async () => {
  const box = await openWithInbox();
  await writeFile(join(box.blobDir, 'stored', '77', strayId), 'x');
  await writeFile(join(box.blobDir, 'incoming', strayId), 'x');
  expect(await sweep(box)).toMatchObject({ orphans: 0 });
  await ageEverything(box.db, box.blobDir);
  expect((await sweep(box)).orphans).toBeGreaterThan(0);
  expect(await box.heldBlobs()).toEqual([]);
});

test('foreign files are left alone, and links are not followed', async () => {
  const box = await openWithInbox();
  const secret = join(box.blobDir, 'secret');
  await writeFile(secret, 'secret');
  const foreign = join(box.blobDir, 'stored', '77', 'notes.txt');
  await writeFile(foreign, 'notes');
  const misplaced = join(box.blobDir, 'stored', '00', strayId);
  await writeFile(misplaced, 'misplaced');
  await symlink(secret, join(box.blobDir, 'stored', '77', strayId));
  await ageEverything(box.db, box.blobDir);
  expect(await sweep(box)).toEqual({ uploads: 0, removals: 0, orphans: 0 });
  for (const [file, content] of [
    [secret, 'secret'],
    [foreign, 'notes'],
    [misplaced, 'misplaced'],
  ] as const) {
    expect(await readFile(file, 'utf8')).toBe(content);
  }
});

test('a running sweeper sweeps by itself, and stops when it is told to', async () => {
  const box = await openWithInbox();
  await (await begin(box, 'x')).suspend();
  await ageEverything(box.db, box.blobDir);
  const metrics = createMetrics('sweeper-test');
  {
    await using _ = await startSweeper({
      db: box.db,
      blobDir: box.blobDir,
      logger: createLogger({ service: 'sweeper-test', level: 'silent' }),
      metrics,
      intervalMs: 20,
      orphanIntervalMs: 20,
    });
    await expect.poll(box.heldBlobs).toEqual([]);
  }
  expect(await metrics.text()).toMatch(/waybill_filebox_swept_total\{kind="removal".*\} 1/u);
});
