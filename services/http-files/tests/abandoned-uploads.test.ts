import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { formOf } from './form-of.ts';
import { openFilesBelow } from './open-files-below.ts';
import { onePeer } from './test-peers.ts';

const site = onePeer({ users: ['globex'] });

const form = 'multipart/form-data; boundary=b';
const filePart = '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n';

/** The ways to upload: method, address, media type, and what precedes the content. */
const ways = [
  ['PUT', '/2.0/files/data/kept.bin', form, filePart],
  ['PUT', '/2.0/files/data/new.bin', form, filePart],
  ['POST', '/2.0/files/data', form, filePart],
  ['PUT', '/2.0/files/data/raw.bin', 'application/octet-stream', ''],
] as const;
const bodyLengths = ['Content-Length: 10000000', 'Transfer-Encoding: chunked'] as const;

/** Begins an upload and disconnects in the middle of it, by a reset, by an end, or after a silence. */
async function abandon(turn: number): Promise<void> {
  const [method, address, mediaType, head] = ways[turn % ways.length] ?? ways[0];
  const bodyLength = bodyLengths[turn % 3 === 0 ? 1 : 0];
  const socket = connect(Number(new URL(site.peer.url).port), '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  const headers = [
    `${method} ${address} HTTP/1.1`,
    'Host: localhost',
    `Cookie: ${site.globex.cookies.header()}`,
    `Content-Type: ${mediaType}`,
    bodyLength,
  ];
  socket.write(`${headers.join('\r\n')}\r\n\r\n`);
  const content = Buffer.concat([Buffer.from(head), randomBytes(randomInt(0, 400_000))]);
  if (bodyLength.startsWith('Transfer')) socket.write(`${content.length.toString(16)}\r\n`);
  socket.write(content);
  await delay(randomInt(0, 300));
  if (turn % 2 === 0) socket.resetAndDestroy();
  else socket.destroy();
}

const blobDir = () => join(site.rig.folder, 'blobs');

async function storedBlobs(): Promise<string[]> {
  const entries = await readdir(blobDir(), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

test('a hundred abandoned uploads leave no blob, no entry, no open file and no error', async () => {
  expect((await site.globex.put('/2.0/files/data/kept.bin', { multipart: formOf('kept') })).status).toBe(201);
  const [before, openBefore] = [await storedBlobs(), await openFilesBelow(blobDir())];

  const turns = Array.from({ length: 100 }, (_, turn) => turn);
  for (let begin = 0; begin < turns.length; begin += 20) {
    await Promise.all(turns.slice(begin, begin + 20).map(abandon));
  }

  await expect.poll(storedBlobs).toEqual(before);
  await expect.poll(() => openFilesBelow(blobDir())).toEqual(openBefore);
  const listed = (await site.globex.get('/2.0/directories/data')).text;
  for (const name of ['new.bin', 'raw.bin', '"f"']) expect(listed).not.toContain(name);
  expect((await site.globex.get('/2.0/files/data/kept.bin')).text).toBe('kept');
  expect(await site.rig.database.query('select count(*)::int as count from filebox.uploads')).toEqual([{ count: 0 }]);
  expect(site.peer.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});
