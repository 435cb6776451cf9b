import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import { expect, test } from 'vitest';
import { openLocalBlobStore } from '../src/blobs/local/local-blob-store.ts';
import { setLimits } from '../src/limits/set-limits.ts';
import { countDueFiles } from '../src/retention/count-due-files.ts';
import { expireFiles, type ExpiredFile } from '../src/retention/expire-files.ts';
import { expiriesOf } from '../src/retention/expiry.ts';
import { startExpiry } from '../src/retention/start-expiry.ts';
import { sweepRemovals } from '../src/upkeep/sweep-removals.ts';
import { openDeepFile } from './open-deep-file.ts';
import { acme, openTestFilebox, vfsId, type TestFilebox } from './open-test-filebox.ts';

const { signal } = new AbortController();
const at = parseVirtualPath;
const site = { managerName: 'manager1', nodeName: 'node1' };
const otherVfs = '0197a2c4-0000-7000-8000-000000000002';
const dateKey = 'SPFB_SP2_FILE_SYS_MD.EXPIRY_DATE';
type Rule = { vfsId: string; hoursAfterPut?: number; hoursAfterGet?: number };

async function expire({ db }: TestFilebox, ...rules: Rule[]): Promise<ExpiredFile[]> {
  const expired: ExpiredFile[] = [];
  const none = { hoursAfterPut: undefined, hoursAfterGet: undefined };
  for (const expiry of expiriesOf(rules.map((rule) => ({ ...none, ...rule })))) {
    await expireFiles({ db, site, expiry, signal, onExpired: (file) => expired.push(file) });
  }
  return expired;
}

const pathsOf = (expired: ExpiredFile[]) => expired.map(({ file }) => file.path).toSorted();

/** Ages one file in the index. */
async function age({ db }: TestFilebox, name: string, column: 'put_at' | 'last_read_at', minutes: number) {
  await db.raw(`UPDATE filebox.entries SET ?? = now() - make_interval(mins => ?) WHERE name = ?`, [
    column,
    minutes,
    name,
  ]);
}

test('files are deleted the configured hours after the put, each audited with the platform as actor and the reason', async () => {
  const box = await openTestFilebox();
  const { filebox } = box;
  await filebox.ensureFolders(vfsId, [at('/in/deep')]);
  const old = await box.put('/in/deep/old', 'old');
  await box.put('/in/young', 'young');
  await filebox.ensureFolders(otherVfs, [at('/in')]);
  const other = await filebox.beginUpload(otherVfs, at('/in/other'), { origin: acme, overwrite: true });
  await other.commit();
  for (const name of ['old', 'other']) await age(box, name, 'put_at', 121);
  await age(box, 'young', 'put_at', 119);

  const rules = [
    { vfsId, hoursAfterPut: 2, hoursAfterGet: undefined },
    { vfsId: otherVfs, hoursAfterPut: undefined, hoursAfterGet: 1 },
  ];
  expect([...(await countDueFiles(box.db, rules))]).toEqual([[vfsId, 1]]);
  const expired = await expire(box, { vfsId, hoursAfterPut: 2 }, { vfsId: otherVfs, hoursAfterGet: 1 });
  expect(pathsOf(expired)).toEqual(['/in/deep/old']);
  expect(expired[0]?.file.dfic).toEqual(old.dfic);
  const message = `Server delete file /in/deep/old FilesetId ${old.fileset} as it has expired: 2 hours after put`;
  expect((await box.audits()).at(-1)).toMatchObject({
    auditCode: 'AUD0044A',
    auditOperation: 'SERVER_DELETE_FILE',
    dataoneUser: 'platform',
    nodeId: 'node1',
    entityId: old.fileset,
    dfiid: old.dfic.dfiid,
    auditMessage: message,
  });
  expect(await box.get('/in/deep/old')).toBeUndefined();
  expect(await box.get('/in/young')).toBe('young');
  expect(await filebox.find(otherVfs, at('/in/other'))).toBeDefined();
  expect(await filebox.find(vfsId, at('/in/deep'))).toMatchObject({ kind: 'folder' });
  expect(await filebox.count(vfsId, at('/in/deep'))).toBe(0);

  await using store = await openLocalBlobStore({ dir: box.blobDir });
  await sweepRemovals({ db: box.db, store, signal });
  expect(await box.heldBlobs()).toHaveLength(2);
});

test('after a get means after the last complete one; an unread file stays', async () => {
  const box = await openTestFilebox();
  for (const name of ['/unread', '/begun', '/read', '/read-again']) await box.put(name, 'x');
  const read = async (path: string, complete = true) => {
    await using download = await box.filebox.openDownload(vfsId, at(path), { origin: acme });
    if (complete) await download.complete();
  };
  await read('/begun', false);
  await read('/read');
  await read('/read-again');
  for (const name of ['read', 'read-again']) await age(box, name, 'last_read_at', 61);
  await read('/read-again');
  const countDue = async (hoursAfterPut: number | undefined) =>
    (await countDueFiles(box.db, [{ vfsId, hoursAfterPut, hoursAfterGet: 1 }])).get(vfsId);
  expect(await countDue(undefined)).toBe(1);
  for (const name of ['read', 'unread']) await age(box, name, 'put_at', 121);
  // A file for which both times are over is one.
  expect(await countDue(2)).toBe(2);
  const expired = await expire(box, { vfsId, hoursAfterGet: 1 });
  expect(expired.map(({ file, reason }) => [file.path, reason])).toEqual([['/read', '1 hour after the last get']]);
});

test('the expiry date of a file applies in any VFS, and the earliest expiry decides', async () => {
  const box = await openTestFilebox();
  const date = '2026-01-01T00:00:00.000Z';
  await box.put('/past', 'x', { metadata: { [dateKey]: date } });
  await box.put('/future', 'x', { metadata: { [dateKey]: '2126-01-01T00:00:00Z' } });
  await box.put('/taken-back', 'x', { metadata: { [dateKey]: date } });
  await box.filebox.setMetadata(vfsId, at('/taken-back'), { [dateKey]: '' }, { origin: acme });
  const byDate = await expire(box);
  expect(byDate.map(({ file, reason }) => [file.path, reason])).toEqual([['/past', `EXPIRY_DATE ${date}`]]);

  await age(box, 'future', 'put_at', 121);
  expect(pathsOf(await expire(box, { vfsId, hoursAfterPut: 2, hoursAfterGet: 9 }))).toEqual(['/future']);
});

test('a file exists until it is deleted: it is listed, counted and read, however late the deletion is', async () => {
  const box = await openTestFilebox();
  await box.put('/late', 'hello', { metadata: { [dateKey]: '2026-01-01T00:00:00Z' } });
  expect(await box.get('/late')).toBe('hello');
  expect(await box.filebox.list(vfsId, at('/'))).toMatchObject({ totalCount: 1, entries: [{ name: 'late' }] });
  await expire(box);
  expect(await box.filebox.list(vfsId, at('/'))).toMatchObject({ totalCount: 0, entries: [] });
});

test('an expired file takes no room of the limits of its VFS any more', async () => {
  const box = await openTestFilebox();
  await box.put('/old', 'hello');
  await box.db.transaction((trx) => setLimits(trx, { vfsId, name: 'acme-files', limits: { bytes: 5, files: 1 } }));
  await age(box, 'old', 'put_at', 61);
  await expire(box, { vfsId, hoursAfterPut: 1 });
  expect(await box.put('/new', 'world')).toMatchObject({ size: 5 });
});

test('an open reader of a file that expires can still read it', async () => {
  const box = await openTestFilebox();
  await box.put('/a', 'hello');
  await age(box, 'a', 'put_at', 61);
  await using download = await box.filebox.openDownload(vfsId, at('/a'), { origin: acme });
  expect((await download.read(0, 2)).toString()).toBe('he');
  expect(await expire(box, { vfsId, hoursAfterPut: 1 })).toHaveLength(1);
  await using store = await openLocalBlobStore({ dir: box.blobDir });
  expect(await sweepRemovals({ db: box.db, store, signal })).toBe(1);
  expect((await download.read(2, 9)).toString()).toBe('llo');
  await download.complete();
  expect((await box.audits()).at(-1)).toMatchObject({ auditOperation: 'SERVER_DOWNLOAD_FILE' });
});

test('a put that replaces the file at that moment is not lost', async () => {
  const box = await openTestFilebox();
  await box.put('/a', 'old');
  await age(box, 'a', 'put_at', 61);
  let duringSwap: ExpiredFile[] | undefined;
  const upload = await box.filebox.beginUpload(vfsId, at('/a'), { origin: acme, overwrite: true });
  await upload.write(Buffer.from('new'), 0);
  await upload.commit({
    within: async () => {
      duringSwap = await expire(box, { vfsId, hoursAfterPut: 1 });
    },
  });
  expect(duringSwap).toEqual([]);
  expect(await expire(box, { vfsId, hoursAfterPut: 1 })).toEqual([]);
  expect(await box.get('/a')).toBe('new');
});

test('puts during sweeps are all kept', async () => {
  const box = await openTestFilebox();
  const names = Array.from({ length: 24 }, (_, index) => `/f${index}`);
  for (const name of names) await box.put(name, 'old');
  await box.db.raw(`UPDATE filebox.entries SET put_at = now() - interval '2 hours' WHERE kind = 'file'`);
  const sweeping = Promise.all([1, 2, 3].map(() => expire(box, { vfsId, hoursAfterPut: 1 })));
  await Promise.all(names.map((name) => box.put(name, 'new')));
  await sweeping;
  await expire(box, { vfsId, hoursAfterPut: 1 });
  for (const name of names) expect(await box.get(name)).toBe('new');
});

test('thousands are deleted in batches, once each, by any number of sweepers; they are found by an index', async () => {
  const box = await openTestFilebox();
  const { id } = await box.put('/model', 'x');
  await box.db.raw(
    `INSERT INTO filebox.entries (vfs_id, parent_id, kind, name, owner, storage_class, blob_id, size, sha256, media_type,
       put_at, metadata, system_metadata, dfic)
     SELECT vfs_id, parent_id, kind, 'n' || n, owner, storage_class, gen_random_uuid(), size, sha256, media_type,
       CASE WHEN n <= 401 THEN now() - interval '2 hours' ELSE now() END, metadata, system_metadata, dfic
     FROM filebox.entries, generate_series(1, 2500) n WHERE id = ?`,
    [id],
  );
  await box.db.raw('ANALYZE filebox.entries');
  const { rows } = await box.db.raw<{ rows: Record<string, string>[] }>(
    `EXPLAIN SELECT id FROM filebox.entries WHERE kind = 'file' AND vfs_id = ? AND put_at <= now() - interval '1 hour'
     ORDER BY put_at LIMIT 200 FOR UPDATE SKIP LOCKED`,
    [vfsId],
  );
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Index Scan using entries_age/u);
  const before = (await box.audits()).length;
  await Promise.all([1, 2].map(() => expire(box, { vfsId, hoursAfterPut: 1 })));
  expect(await box.filebox.count(vfsId, at('/'))).toBe(2100);
  expect((await box.audits()).length - before).toBe(401);
});

test('it runs by itself, reports its last sweep, and stops when it is told to', async () => {
  const box = await openTestFilebox();
  await box.put('/a', 'x');
  await age(box, 'a', 'put_at', 61);
  const metrics = createMetrics('expiry-test');
  const retention = { listRetention: async () => [{ vfsId, hoursAfterPut: 1, hoursAfterGet: undefined }] };
  const logger = createLogger({ service: 'expiry-test', level: 'silent' });
  {
    await using _ = startExpiry({ db: box.db, site, retention, logger, metrics, intervalMs: 20 });
    await expect.poll(() => box.get('/a')).toBeUndefined();
  }
  const text = await metrics.text();
  expect(text).toMatch(/waybill_filebox_expired_total\{reason="put".*\} 1/u);
  expect(text).toMatch(/waybill_filebox_expiry_last_run_timestamp_seconds\{.*\} 1\d{9}/u);
});

test('a file is deleted although its path has become too long for a request, and does not delay those behind it', async () => {
  const box = await openTestFilebox();
  await openDeepFile(box, 'old');
  await box.put('/young', 'y');
  for (const name of ['old', 'young']) await age(box, name, 'put_at', 121);
  const expired = await expire(box, { vfsId, hoursAfterPut: 2 });
  expect(expired.map(({ file }) => file.path.length)).toEqual([expect.any(Number), '/young'.length]);
  expect(expired[0]?.file.path.length).toBeGreaterThan(4_096);
  expect((await box.audits()).filter(({ auditCode }) => auditCode === 'AUD0044A')).toHaveLength(2);
});
