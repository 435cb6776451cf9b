import { parseVirtualPath } from '@waybill/contracts/virtual-path';
import { expect, test } from 'vitest';
import { acme, openTestFilebox, vfsId } from './open-test-filebox.ts';

const [folderCount, fileCount] = [500, 5_000];

test('a tree of thousands of files and folders is deleted without counting each of them, and each is on the record', async () => {
  const { filebox, db } = await openTestFilebox();
  await filebox.ensureFolders(vfsId, ['/tree', '/beside'].map(parseVirtualPath));
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
  await db.raw(
    `INSERT INTO filebox.vfs_limits (vfs_id, name, bytes, files, folders)
     SELECT vfs_id, 'acme-files', sum(size), count(*) FILTER (WHERE kind = 'file'), count(*) FILTER (WHERE kind = 'folder') - 1
     FROM filebox.entries GROUP BY vfs_id`,
  );
  await filebox.deleteFolder(vfsId, parseVirtualPath('/tree'), { origin: acme, recursive: true });
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
  // Each count of a file would have left a version of the row, which the next one had to pass: 5 000 need 400 KB.
  const sizes = await db.raw<{ rows: { bytes: string }[] }>(
    "SELECT pg_relation_size('filebox.folder_counts') AS bytes",
  );
  expect(Number(sizes.rows[0]?.bytes)).toBeLessThan(100_000);
});
