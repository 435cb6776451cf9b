import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { HttpClient } from '@waybill/test-kit/create-http-client';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFilesRig, type FilesRig, type RunningPeer } from './files-rig.ts';
import { openFilesBelow } from './open-files-below.ts';

let rig: FilesRig;
let peer: RunningPeer;
let acme: HttpClient;
const content = randomBytes(40 * 1024 * 1024 + 4_099);
const sha256 = createHash('sha256').update(content).digest('hex');

beforeAll(async () => {
  rig = await createFilesRig();
  peer = await rig.start('peer1', { DIRECT_UPLOADS_FROM_MIB: '32' });
  acme = await peer.logIn('acme');
});

afterAll(() => rig[Symbol.asyncDispose]());

const headers = (path: string, more = ''): string =>
  `PUT ${path} HTTP/1.1\r\nHost: h\r\nCookie: ${acme.cookies.header()}\r\nContent-Type: application/octet-stream\r\nContent-Length: ${content.length}\r\n${more}\r\n`;

/** Sends a big file, or a part of it, by one connection, and answers what came back. */
async function send(text: string, body: Uint8Array): Promise<string> {
  const socket = connect(Number(new URL(peer.url).port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('latin1').on('data', (part: string) => (answer += part));
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  socket.write(text);
  socket.write(body);
  if (body.length < content.length) socket.end();
  await closed;
  return answer;
}

test('a big file that is received past the request is stored as it was sent, with its hash and its receipt', async () => {
  const answer = await send(headers('/2.0/files/inbox/big.bin'), content);
  expect(answer).toContain('HTTP/1.1 201');
  expect(answer.toLowerCase()).toContain('connection: close');
  const stored = await acme.get('/2.0/files/inbox/big.bin');
  expect(createHash('sha256').update(stored.bytes).digest('hex')).toBe(sha256);
  const receipts = await rig.db('http_files.receipts').where({ size: content.length });
  expect(receipts.map((receipt: { sha256: Buffer }) => receipt.sha256.toString('hex'))).toEqual([sha256]);
});

test('several at a time, more than there is memory for, are all stored', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const answers = names.map((name) => send(headers(`/2.0/files/inbox/${name}.bin`, 'Connection: close\r\n'), content));
  for (const answer of await Promise.all(answers)) expect(answer).toContain('HTTP/1.1 201');
  for (const name of names) {
    const stored = await acme.get(`/2.0/files/inbox/${name}.bin`);
    expect(createHash('sha256').update(stored.bytes).digest('hex')).toBe(sha256);
  }
});

test('one under a key is stored once', async () => {
  const key = 'Idempotency-Key: big\r\nConnection: close\r\n';
  const first = await send(headers('/2.0/files/inbox/keyed.bin', key), content);
  const second = await send(headers('/2.0/files/inbox/keyed.bin', key), content);
  for (const answer of [first, second]) expect(answer).toContain('HTTP/1.1 201');
  const receipts = await rig.db('http_files.receipts').where({ path: '/inbox/keyed.bin' });
  expect(receipts).toHaveLength(1);
});

test('of one whose client leaves nothing stays', async () => {
  const blobs = await heldBlobs();
  await send(headers('/2.0/files/inbox/left.bin'), content.subarray(0, 30_000_000));
  await waitFor(async () => (await rig.db('filebox.uploads')).length === 0, { what: 'the upload to be given up' });
  await waitFor(async () => (await heldBlobs()) === blobs, { what: 'its bytes to be gone' });
  await waitFor(async () => (await openFilesBelow(join(rig.folder, 'blobs', 'incoming'))).length === 0, {
    what: 'it to be closed',
  });
  expect((await acme.get('/2.0/files/inbox/left.bin')).status).toBe(404);
});

async function heldBlobs(): Promise<number> {
  const files = await readdir(join(rig.folder, 'blobs'), { recursive: true, withFileTypes: true });
  return files.filter((file) => file.isFile()).length;
}
