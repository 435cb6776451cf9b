import type { GatewayRig } from './gateway-rig.ts';
import type { RawSftpClient } from './raw-sftp-client.ts';

/** Inserts rows into globex's folder /data; `name` is SQL over `n`, which starts at 1. */
export async function fillFolder(rig: GatewayRig, name: string, count: number): Promise<void> {
  // Counting so many rows in one transaction is slow, and no listing over SFTP needs the count.
  await rig.database.query('ALTER TABLE filebox.entries DISABLE TRIGGER USER');
  await rig.database.query(
    `INSERT INTO filebox.entries (vfs_id, parent_id, kind, name, owner, storage_class, blob_id, size, sha256, media_type,
       put_at, metadata, system_metadata, dfic)
     SELECT vfs_id, id, 'file', ${name}, 'globex', 'local', gen_random_uuid(), 1, sha256(''), 'text/csv', now(), '{}', '{}',
       '{"userAttrs":{}}'
     FROM filebox.entries, generate_series(1, $1::int) AS n WHERE name = 'data' AND kind = 'folder'`,
    [count],
  );
  await rig.database.query('ALTER TABLE filebox.entries ENABLE TRIGGER USER');
}

/** Returns the handle. */
export async function openFolder(client: RawSftpClient, path: string): Promise<Buffer> {
  const opened = await client.ask({ type: 'opendir', id: 1, path: Buffer.from(path) });
  if (opened.type !== 'handle') throw new Error(`no handle but ${opened.type}`);
  return Buffer.from(opened.handle);
}

/** The next page; empty at the end. */
export async function nextNames(client: RawSftpClient, handle: Buffer): Promise<string[]> {
  const page = await client.ask({ type: 'readdir', id: 2, handle });
  return page.type === 'name' ? page.entries.map(({ filename }) => filename) : [];
}
