import { beforeAll, expect, test } from 'vitest';
import { fillFolder, nextNames, openFolder } from './large-folder.ts';
import { connectRawSftp } from './raw-sftp-client.ts';
import { oneGateway } from './test-gateways.ts';

const files = 10_000;
/** A NAME with this many of the longest names still fits a packet of 256 KiB. */
const namesOfPage = 400;

const peer = oneGateway();

beforeAll(async () => {
  await fill("'file-' || lpad(n::text, 8, '0')", files);
});

const fill = (name: string, count: number) => fillFolder(peer.rig, name, count);

test('a large folder is returned in pages, in order and each name once, while names change around the cursor', async () => {
  await using client = await connectRawSftp({ port: peer.gateway.sftpPort, user: 'globex', initialise: true });
  const handle = await openFolder(client, '/data');
  const seen: string[] = [];
  let pages = 0;
  for (let names = await nextNames(client, handle); names.length > 0; names = await nextNames(client, handle)) {
    expect(names.length).toBeLessThanOrEqual(namesOfPage);
    seen.push(...names);
    pages += 1;
    if (pages !== 10) continue;
    // One name before the cursor is removed and some are added; one far after it is removed.
    await peer.rig.database.query("DELETE FROM filebox.entries WHERE name IN ('file-00000005', 'file-00007000')");
    await fill("'aaa-' || n", 100);
  }
  expect(seen).toEqual(seen.toSorted());
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toHaveLength(files - 1);
  expect(seen).not.toContain('file-00007000');
});

test('the longest names fill a page that fits the largest packet a client must accept', async () => {
  // They sort before all others.
  await fill("lpad(n::text, 255, '!')", 1_000);
  await using client = await connectRawSftp({ port: peer.gateway.sftpPort, user: 'globex', initialise: true });
  const handle = await openFolder(client, '/data');
  let bytes = 0;
  client.channel.on('data', (chunk: Buffer) => (bytes += chunk.length));
  await expect(nextNames(client, handle)).resolves.toHaveLength(namesOfPage);
  expect(bytes).toBeLessThanOrEqual(256 * 1024);
});
