import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGatewayRig, type GatewayRig, type RunningGateway } from './gateway-rig.ts';
import { connectRawSftp, type RawSftpClient } from './raw-sftp-client.ts';

const files = 10_000;
/** A NAME with this many of the longest names still fits a packet of 256 KiB. */
const namesOfPage = 400;

let rig: GatewayRig;
let gateway: RunningGateway;

beforeAll(async () => {
  rig = await createGatewayRig();
  gateway = await rig.start('peer1');
  await fill("'file-' || lpad(n::text, 8, '0')", files);
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

/** Puts rows into globex's folder /data; `name` is SQL and knows `n`. */
async function fill(name: string, count: number): Promise<void> {
  // Counting each of so many rows in one transaction is slow, and no listing over SFTP asks for the count.
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

async function openFolder(client: RawSftpClient, path: string): Promise<Buffer> {
  const opened = await client.ask({ type: 'opendir', id: 1, path: Buffer.from(path) });
  if (opened.type !== 'handle') throw new Error(`no handle but ${opened.type}`);
  return Buffer.from(opened.handle);
}

async function nextNames(client: RawSftpClient, handle: Buffer): Promise<string[]> {
  const page = await client.ask({ type: 'readdir', id: 2, handle });
  return page.type === 'name' ? page.entries.map(({ filename }) => filename) : [];
}

test('a large folder comes in pages, in order and each name once, while names come and go around the cursor', async () => {
  await using client = await connectRawSftp({ port: gateway.sftpPort, user: 'globex', initialise: true });
  const handle = await openFolder(client, '/data');
  const seen: string[] = [];
  let pages = 0;
  for (let names = await nextNames(client, handle); names.length > 0; names = await nextNames(client, handle)) {
    expect(names.length).toBeLessThanOrEqual(namesOfPage);
    seen.push(...names);
    pages += 1;
    if (pages !== 10) continue;
    // Behind the cursor one goes and some come; far ahead of it one goes.
    await rig.database.query("DELETE FROM filebox.entries WHERE name IN ('file-00000005', 'file-00007000')");
    await fill("'aaa-' || n", 100);
  }
  expect(seen).toEqual(seen.toSorted());
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toHaveLength(files - 1);
  expect(seen).not.toContain('file-00007000');
});

test('the longest names fill a page that fits the largest packet a client must take', async () => {
  // They come before all others.
  await fill("lpad(n::text, 255, '!')", 1_000);
  await using client = await connectRawSftp({ port: gateway.sftpPort, user: 'globex', initialise: true });
  const handle = await openFolder(client, '/data');
  let bytes = 0;
  client.channel.on('data', (chunk: Buffer) => (bytes += chunk.length));
  await expect(nextNames(client, handle)).resolves.toHaveLength(namesOfPage);
  expect(bytes).toBeLessThanOrEqual(256 * 1024);
});
