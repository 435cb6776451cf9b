import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { HttpClient, HttpResponse } from '@waybill/test-kit/create-http-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { failureOf } from './endpoint-requests.ts';
import { onePeer } from './test-peers.ts';

const site = onePeer({ users: ['acme', 'globex'] });

/** Far more than an address has room for: 200 names of 250 bytes, percent-encoded. */
const longNames = Array.from({ length: 200 }, (_, index) => `${'ü'.repeat(122)}-${String(index).padStart(3, '0')}`);

/** What a form has to encode. */
const oddNames = ['a&name=b', 'plus+and space', '100%25', 'quote\'"', '=', '<script>'];

/** The same as entries of an archive, which Windows can unpack, too. */
const entryOf = (name: string): string => name.replaceAll(/["<>]/gu, '_');

const contentType = 'application/x-www-form-urlencoded';

const post = (
  client: HttpClient,
  path: string,
  names: readonly string[],
  { check, headers = {} }: { check?: string; headers?: Readonly<Record<string, string>> } = {},
): Promise<HttpResponse> => {
  const body = new URLSearchParams(check === undefined ? {} : { check });
  for (const name of names) body.append('name', name);
  return client.post(`/2.0/archive${path}`, {
    body: body.toString(),
    headers: { 'content-type': contentType, ...headers },
  });
};

async function namesIn(bytes: Uint8Array): Promise<string[]> {
  const file = join(site.rig.folder, `${randomUUID()}.zip`);
  await writeFile(file, bytes);
  const program = 'import json, sys, zipfile; print(json.dumps(zipfile.ZipFile(sys.argv[1]).namelist()))';
  const { stdout } = await promisify(execFile)('python3', ['-c', program, file]);
  return JSON.parse(stdout) as string[];
}

const audited = async (code: string) => (await site.rig.audited()).filter(({ auditCode }) => auditCode === code).length;

beforeAll(async () => {
  await site.globex.put('/2.0/folders/data/picked');
  for (const name of [...longNames, ...oddNames, 'left-out'])
    await site.globex.put(`/2.0/files/data/picked/${encodeURIComponent(name)}`, {
      body: name,
      headers: { 'content-type': 'text/plain' },
    });
  await site.rig.plant('acme-files', '/private/hidden.txt', 'hidden');
});

describe('POST /archive/<path>', () => {
  test('returns a selection that no address has room for, and nothing else, and audits each file', async () => {
    const before = await audited('AUD0042A');
    const chosen = [...longNames, ...oddNames];
    const answer = await post(site.globex, '/data/picked', chosen);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/zip');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename=picked.zip');
    expect((await namesIn(answer.bytes)).toSorted()).toEqual(chosen.map(entryOf).toSorted());
    await expect.poll(() => audited('AUD0042A')).toBe(before + chosen.length);
  });

  test('says with `check` whether it would, and sends and records nothing', async () => {
    const before = await audited('AUD0042A');
    const answer = await post(site.globex, '/data/picked', longNames, { check: 'true' });
    expect([answer.status, answer.bytes.length]).toEqual([204, 0]);
    expect(failureOf(await post(site.globex, '/data/picked', ['gone'], { check: 'true' }))[0]).toBe(404);
    // Nothing is to follow.
    await delay(100);
    expect(await audited('AUD0042A')).toBe(before);
  });

  test.each([
    ['a folder that may not be listed', '/private', ['hidden.txt'], 403, 'No list permission'],
    ['what may not be listed', '', ['private'], 403, 'No list permission'],
    ['a missing name', '/inbox', ['nope'], 404, "File 'nope' doesn't exist"],
    ['a missing folder', '/nope', ['a'], 404, "Path '/nope' doesn't exist"],
    ['the folder above', '/inbox', ['..'], 400, 'Missing parameters or syntax error'],
    ['a path that leaves the folder', '/inbox', ['../private/hidden.txt'], 400, 'Missing parameters or syntax error'],
    ['NUL', '/inbox', ['a\0b'], 400, 'Missing parameters or syntax error'],
    ['no name', '/inbox', [], 400, 'Missing parameters or syntax error'],
    [
      '10 001 names',
      '/inbox',
      Array.from({ length: 10_001 }, (_, index) => `${index}`),
      400,
      'Missing parameters or syntax error',
    ],
  ])('refuses %s', async (_what, path, names, status, message) => {
    const [answered, , said] = failureOf(await post(site.acme, path, names));
    expect([answered, said]).toEqual([status, message]);
  });

  test('audits a refusal as that of a download', async () => {
    await post(site.acme, '/private', ['hidden.txt']);
    const refused = async () =>
      (await site.rig.audited()).filter(
        ({ auditCode, auditMessage }) => auditCode === 'AUD0064A' && auditMessage.includes(' /private was refused'),
      );
    await expect.poll(refused).not.toEqual([]);
  });

  test('refuses what a page of another site sends, and a caller without a session', async () => {
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://elsewhere.example' },
      { origin: 'null' },
    ])
      expect(failureOf(await post(site.globex, '/data/picked', ['left-out'], { headers }))[0]).toBe(403);
    const sameOrigin = { 'sec-fetch-site': 'same-origin', origin: site.peer.url };
    expect((await post(site.globex, '/data/picked', ['left-out'], { headers: sameOrigin })).status).toBe(200);
    const stranger = await fetch(`${site.peer.url}/2.0/archive/data/picked`, {
      method: 'POST',
      headers: { 'content-type': contentType },
      body: 'name=left-out',
    });
    expect(stranger.status).toBe(401);
  });

  test('reads no more than 8 MiB, no other form, and no unknown value of `check`', async () => {
    const send = (body: string, type = contentType) =>
      site.globex.post('/2.0/archive/data/picked', { body, headers: { 'content-type': type } });
    expect((await send(`name=${'x'.repeat(8 * 1024 * 1024)}`)).status).toBe(413);
    expect((await send('{"name":"left-out"}', 'application/json')).status).toBe(400);
    expect((await send('name=left-out&check=yes')).status).toBe(400);
    expect((await send('name=%ff')).status).toBe(404);
  });
});
