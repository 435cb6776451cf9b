import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Database } from '@waybill/postgres/database';
import { expect, onTestFinished, test } from 'vitest';
import { acme, openTestFilebox, vfsId } from './open-test-filebox.ts';
import { startCountingProxy } from './start-counting-proxy.ts';

const [folderCount, fileCount] = [500, 7_000];
const recursively = { origin: acme, recursive: true };

async function openLargeTree() {
  const box = await openTestFilebox();
  await box.filebox.ensureFolders(vfsId, ['/tree', '/beside'].map(parseVirtualPath));
  await fillTree(box.db);
  return box;
}

async function fillTree(db: Database): Promise<void> {
  // Most files are in one folder, where each would be counted in the same row.
  await db.raw(
    `ALTER TABLE filebox.entries DISABLE TRIGGER USER;
     INSERT INTO filebox.entries (vfs_id, parent_id, kind, name, owner)
     SELECT vfs_id, id, 'folder', 'folder-' || n, 'acme' FROM filebox.entries, generate_series(1, ${folderCount}) AS n
     WHERE name = 'tree';
     INSERT INTO filebox.entries (vfs_id, parent_id, kind, name, owner, storage_class, blob_id, size, sha256, media_type,
       put_at, metadata, system_metadata, dfic)
     SELECT vfs_id, id, 'file', 'file-' || n, 'acme', 'local', gen_random_uuid(), 1, decode(repeat('00', 32), 'hex'),
       'text/plain', now(), '{}', '{}', '{"dfiid":"d","lcid":"l"}'
     FROM generate_series(1, ${fileCount}) AS n
     JOIN filebox.entries ON name = CASE WHEN n % 5 = 0 THEN 'folder-' || 1 + n % ${folderCount} ELSE 'tree' END;
     ALTER TABLE filebox.entries ENABLE TRIGGER USER`,
  );
}

test('a tree of thousands of files and folders is deleted without counting each of them, and each is audited', async () => {
  const { filebox, db } = await openLargeTree();
  await db.raw(
    `INSERT INTO filebox.vfs_limits (vfs_id, name, bytes, files, folders)
     SELECT vfs_id, 'acme-files', sum(size), count(*) FILTER (WHERE kind = 'file'), count(*) FILTER (WHERE kind = 'folder') - 1
     FROM filebox.entries GROUP BY vfs_id`,
  );
  await filebox.deleteFolder(vfsId, parseVirtualPath('/tree'), recursively);
  expect(await filebox.list(vfsId, parseVirtualPath('/'))).toMatchObject({
    totalCount: 1,
    entries: [{ name: 'beside' }],
  });
  expect(await db('filebox.vfs_limits').select('bytes', 'files', 'folders')).toEqual([
    { bytes: '0', files: '0', folders: '1' },
  ]);
  const { rows } = await db.raw<{ rows: { count: string }[] }>(
    "SELECT count(*) FROM outbox.events WHERE topic = 'audit-event' AND payload->>'auditMessage' LIKE 'Server delete%'",
  );
  expect(Number(rows[0]?.count)).toBe(1 + folderCount + fileCount);
  // Counting each file would have left a dead version of the row, which the next count had to pass: 5 000 need 400 KB.
  const sizes = await db.raw<{ rows: { bytes: string }[] }>(
    "SELECT pg_relation_size('filebox.folder_counts') AS bytes",
  );
  expect(Number(sizes.rows[0]?.bytes)).toBeLessThan(100_000);
});

test('the audit log of a large tree has all files before any folder, each folder before its parent, and the top last', async () => {
  const { filebox, db } = await openLargeTree();
  await filebox.deleteFolder(vfsId, parseVirtualPath('/tree'), recursively);
  const { rows } = await db.raw<{ rows: { type: string; path: string }[] }>(
    "SELECT payload ->> 'entityType' AS type, payload ->> 'entityName' AS path FROM outbox.events ORDER BY id",
  );
  const types = rows.map(({ type }) => type);
  expect(types.lastIndexOf('File')).toBe(fileCount - 1);
  expect(types.indexOf('Folder')).toBe(fileCount);
  expect(new Set(rows.map(({ path }) => path)).size).toBe(1 + folderCount + fileCount);
  expect(rows.at(-1)).toEqual({ type: 'Folder', path: '/tree' });
});

test('neither the entries of a large tree nor their audit records pass through the process that deletes it', async () => {
  const { openAnother, databaseUrl, db } = await openLargeTree();
  const proxy = await startCountingProxy(databaseUrl);
  const throughProxy = connectPostgres({ url: proxy.url, applicationName: 'filebox test' });
  onTestFinished(() => throughProxy.destroy());
  const filebox = await openAnother({ db: throughProxy });
  await filebox.find(vfsId, parseVirtualPath('/tree'));
  const before = proxy.counted();
  await filebox.deleteFolder(vfsId, parseVirtualPath('/tree'), recursively);
  const after = proxy.counted();
  const { rows } = await db.raw<{ rows: { payloads: string }[] }>(
    'SELECT sum(length(CAST(payload AS text))) AS payloads FROM outbox.events',
  );
  expect(Number(rows[0]?.payloads)).toBeGreaterThan(2_000_000);
  // Each folder's path is transferred twice, and a few blobs are removed immediately: 30 bytes for each of 7 500
  // entries.
  expect(after.received - before.received + after.sent - before.sent).toBeLessThan(250_000);
});
