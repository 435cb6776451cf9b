import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { HttpClient } from '@waybill/test-kit/create-http-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { failureOf } from './endpoint-requests.ts';
import { openFilesBelow } from './open-files-below.ts';
import { onePeer } from './test-peers.ts';

const site = onePeer({ users: ['acme', 'globex', 'hooli'] });

beforeAll(async () => {
  await site.rig.plant('acme-files', '/outbox/out.txt', 'out');
  await site.rig.plant('acme-files', '/private/hidden.txt', 'hidden');
  await site.rig.plant('acme-files', '/drop/dropped.txt', 'dropped');
});

const put = (client: HttpClient, path: string, body: string | Uint8Array<ArrayBuffer>) =>
  client.put(`/2.0/files${path}`, { body, headers: { 'content-type': 'text/plain' } });

/** Unpacks a response with the machine's `python3`, independently of this code, and returns its folder. */
async function unpack(bytes: Uint8Array): Promise<string> {
  const folder = join(site.rig.folder, `unpacked-${randomBytes(4).toString('hex')}`);
  await writeFile(`${folder}.zip`, bytes);
  await promisify(execFile)('python3', ['-m', 'zipfile', '-e', `${folder}.zip`, folder]);
  return folder;
}

async function namesIn(bytes: Uint8Array): Promise<string[]> {
  const folder = await unpack(bytes);
  const entries = await readdir(folder, { recursive: true });
  return entries.toSorted((one, other) => (one < other ? -1 : 1));
}

const downloads = async () =>
  (await site.rig.audited()).filter(({ auditOperation }) => auditOperation === 'SERVER_DOWNLOAD_FILE').length;

const bytesSent = async () => {
  const { text } = await site.globex.get('/metrics');
  return Number(/^waybill_http_file_bytes_total\{.*direction="out".*\} (\d+)$/mu.exec(text)?.[1] ?? 0);
};

describe('GET /archive/<path>', () => {
  test('returns a folder with its content, every byte unchanged', async () => {
    const content = new Uint8Array(randomBytes(3_000_000));
    await site.globex.put('/2.0/folders/data/deep');
    await site.globex.put('/2.0/folders/data/empty');
    await put(site.globex, '/data/deep/big.bin', content);
    await put(site.globex, `/data/${encodeURIComponent('řeka.txt')}`, 'water');
    const [before, sentBefore] = [await downloads(), await bytesSent()];
    const answer = await site.globex.get('/2.0/archive/data');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/zip');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename=data.zip');
    const folder = await unpack(answer.bytes);
    expect(Buffer.compare(await readFile(join(folder, 'deep', 'big.bin')), content)).toBe(0);
    expect(await readFile(join(folder, 'řeka.txt'), 'utf8')).toBe('water');
    expect(await readdir(join(folder, 'empty'))).toEqual([]);
    await expect.poll(downloads).toBe(before + 2);
    await expect.poll(bytesSent).toBe(sentBefore + 3_000_005);
  });

  test('leaves out what must not be listed or downloaded', async () => {
    await put(site.acme, '/inbox/in.txt', 'in');
    const names = await namesIn((await site.acme.get('/2.0/archive')).bytes);
    expect(names).toEqual(expect.arrayContaining(['inbox', 'inbox/in.txt', 'outbox', 'outbox/out.txt']));
    expect(names.filter((name) => name.startsWith('private') || name.startsWith('drop'))).toEqual([]);
  });

  test('contains only the named elements, and refuses unreadable ones', async () => {
    await put(site.acme, '/inbox/other.txt', 'other');
    expect(await namesIn((await site.acme.get('/2.0/archive/inbox?name=in.txt&name=sub')).bytes)).toEqual(
      expect.arrayContaining(['in.txt', 'sub']),
    );
    expect(await namesIn((await site.acme.get('/2.0/archive/inbox?name=in.txt')).bytes)).toEqual(['in.txt']);
    expect(failureOf(await site.acme.get('/2.0/archive?name=private'))).toEqual([
      403,
      'authorization',
      'No list permission',
    ]);
    expect(failureOf(await site.acme.get('/2.0/archive/inbox?name=nope'))).toEqual([
      404,
      'io',
      "File 'nope' doesn't exist",
    ]);
    expect(failureOf(await site.acme.get('/2.0/archive/inbox?name=..'))[0]).toBe(400);
  });

  test('refuses a missing folder, and one without the list permission', async () => {
    expect(failureOf(await site.acme.get('/2.0/archive/inbox/nope'))[0]).toBe(404);
    expect(failureOf(await site.acme.get('/2.0/archive/private'))).toEqual([
      403,
      'authorization',
      'No list permission',
    ]);
  });

  test('shows the tree of the user: a mount hides what is below it', async () => {
    await site.rig.plant('hooli-files', '/shared/hidden.txt', 'x');
    await put(site.hooli, '/own/shared/seen.txt', 'seen');
    const names = await namesIn((await site.hooli.get('/2.0/archive')).bytes);
    expect(names).toContain('own/shared/seen.txt');
    expect(names).not.toContain('own/shared/hidden.txt');
  });

  test('makes names safe that would leave the target folder on another system', async () => {
    await site.globex.put('/2.0/folders/data/odd');
    for (const name of [String.raw`..\..\up.txt`, 'C:x.txt'])
      await put(site.globex, `/data/odd/${encodeURIComponent(name)}`, 'x');
    expect(await namesIn((await site.globex.get('/2.0/archive/data/odd')).bytes)).toEqual(['.._.._up.txt', 'C_x.txt']);
  });

  test('answers HEAD, without recording a download', async () => {
    const before = await downloads();
    expect((await site.globex.request('HEAD', '/2.0/archive/data')).status).toBe(200);
    // Nothing is to follow.
    await delay(100);
    expect(await downloads()).toBe(before);
  });
});

test('an abandoned archive records no download, and leaves nothing open', async () => {
  await site.globex.put('/2.0/folders/data/huge');
  for (const name of ['a', 'b', 'c'])
    await put(site.globex, `/data/huge/${name}`, new Uint8Array(randomBytes(8_000_000)));
  const before = await downloads();
  const open = () => openFilesBelow(join(site.rig.folder, 'blobs'));
  const idle = await open();
  const abandoning = new AbortController();
  const headers = { cookie: site.globex.cookies.header() ?? '' };
  const response = await fetch(`${site.peer.url}/2.0/archive/data/huge`, { headers, signal: abandoning.signal });
  await response.body?.getReader().read();
  abandoning.abort();
  await expect.poll(open).toEqual(idle);
  expect(await downloads()).toBe(before);
});

test('an archive does not grow the memory with its size', async () => {
  const headers = { cookie: site.globex.cookies.header() ?? '' };
  await site.globex.put('/2.0/folders/data/wide');
  for (let index = 0; index < 12; index += 1) {
    await put(site.globex, `/data/wide/${index}`, new Uint8Array(randomBytes(16 * 1024 * 1024)));
  }
  const before = process.memoryUsage().arrayBuffers;
  let peak = 0;
  let size = 0;
  const response = await fetch(`${site.peer.url}/2.0/archive/data/wide`, { headers });
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    peak = Math.max(peak, process.memoryUsage().arrayBuffers);
  }
  expect(size).toBeGreaterThan(12 * 16 * 1024 * 1024);
  expect(peak - before).toBeLessThan(96 * 1024 * 1024);
});
