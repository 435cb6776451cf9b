import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { HttpClient } from '@waybill/test-kit/create-http-client';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failureOf } from './endpoint-requests.ts';
import { createFilesRig, type FilesRig, type RunningPeer } from './files-rig.ts';
import { append, appendSlowly, begin, checksumOf, inspect, terminate, tusResumable } from './tus-requests.ts';

let rig: FilesRig;
let peer: RunningPeer;
let other: RunningPeer;
let acme: HttpClient;

beforeAll(async () => {
  rig = await createFilesRig();
  [peer, other] = [await rig.start('peer1'), await rig.start('peer2', { RESUMABLE_UPLOAD_LIMIT_BYTES: '1000' })];
  acme = await peer.logIn('acme');
});

afterAll(async () => {
  for (const each of [peer, other]) await each[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

const at = (name: string) => ({ folder: 'inbox', filename: name, filetype: 'text/csv' });
const offsetOf = ({ headers }: { headers: Headers }) => headers.get('upload-offset');
const onDisk = () => readdir(join(rig.folder, 'blobs', 'incoming'));
const recordsOf = async (name: string) =>
  (await rig.audited())
    .filter(({ auditMessage }) => auditMessage.includes(name))
    .map(({ auditOperation }) => auditOperation);
const eventsOf = async (name: string) =>
  rig.database.query("select id from outbox.events where topic = 'file-event' and payload::text like $1", [
    `%${name}%`,
  ]);

describe('OPTIONS /uploads', () => {
  test('describes the supported parts of tus, to anyone', async () => {
    for (const [{ url }, size] of [[peer, null] as const, [other, '1000'] as const]) {
      const { status, headers } = await fetch(`${url}/2.0/uploads`, { method: 'OPTIONS' });
      expect([status, headers.get('tus-version'), headers.get('tus-max-size')]).toEqual([204, '1.0.0', size]);
      expect(headers.get('tus-extension')).toBe(
        'creation,creation-with-upload,creation-defer-length,expiration,checksum,concatenation,termination',
      );
      expect(headers.get('tus-checksum-algorithm')).toBe('sha1,sha256');
    }
  });
});

describe('an upload in parts', () => {
  test('becomes a file with its last byte, as by a PUT: receipt, audit record and event, once', async () => {
    const begun = await begin(acme, { ...at('parts.csv'), BUSINESS_UNIT: 'Büro' }, 11);
    expect([begun.status, begun.headers.get('tus-resumable'), offsetOf(begun)]).toEqual([201, '1.0.0', '0']);
    expect(Date.parse(begun.headers.get('upload-expires') ?? '')).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    const first = await append(acme, begun.path, 0, 'hello');
    expect([first.status, offsetOf(first), first.headers.get('x-fileset')]).toEqual([204, '5', null]);
    expect((await acme.get('/2.0/files/inbox/parts.csv')).status).toBe(404);

    const last = await append(acme, begun.path, 5, ' world');
    const fileset = last.headers.get('x-fileset');
    expect([last.status, offsetOf(last)]).toEqual([204, '11']);
    expect(last.headers.get('x-file-sha256')).toBe(createHash('sha256').update('hello world').digest('hex'));
    const stored = await acme.get('/2.0/files/inbox/parts.csv');
    expect([stored.text, stored.headers.get('content-type')]).toEqual(['hello world', 'text/csv']);
    const { metadata } = (await acme.get('/2.0/metadata/inbox/parts.csv')).json() as { metadata: object };
    expect(metadata).toMatchObject({ BUSINESS_UNIT: 'Büro' });
    expect(metadata).not.toHaveProperty('filename');
    expect((await acme.get(`/2.0/receipts/${fileset}`)).json()).toMatchObject({ path: '/inbox/parts.csv', size: 11 });

    // The response may have been lost: a HEAD returns the same again, and nothing is committed twice.
    const asked = await inspect(acme, begun.path);
    expect([asked.status, offsetOf(asked), asked.headers.get('x-fileset')]).toEqual([200, '11', fileset]);
    const repeated = await append(acme, begun.path, 11, '');
    expect([repeated.status, repeated.headers.get('x-fileset')]).toEqual([204, fileset]);
    // The first download was refused.
    const recorded = ['SERVER_DOWNLOAD_FILE', 'SERVER_UPLOAD_FILE', 'SERVER_DOWNLOAD_FILE'];
    expect(await recordsOf('parts.csv')).toEqual(recorded);
    expect(await eventsOf('parts.csv')).toHaveLength(2);
  });

  test('is resumed on another peer', async () => {
    const { path } = await begin(acme, at('peers.csv'), 6);
    await append(acme, path, 0, 'abc');
    const elsewhere = await other.logIn('acme');
    expect(offsetOf(await inspect(elsewhere, path))).toBe('3');
    expect((await append(elsewhere, path, 3, 'def')).status).toBe(204);
    expect((await acme.get('/2.0/files/inbox/peers.csv')).text).toBe('abcdef');
  });

  test('that is interrupted keeps what arrived, and can be resumed at once', async () => {
    const { path } = await begin(acme, at('cut.csv'), 10);
    const slow = await appendSlowly({ url: peer.url, client: acme, path }, { offset: 0, content: 'hello', size: 10 });
    await waitFor(async () => offsetOf(await inspect(acme, path)) === '5', { what: 'the bytes that were sent' });
    slow.cut();
    const last = await waitFor(
      async () => {
        const answer = await append(acme, path, 5, 'world');
        return answer.status === 423 ? undefined : answer;
      },
      { what: 'the end of the first request' },
    );
    expect([last.status, offsetOf(last)]).toEqual([204, '10']);
    expect((await acme.get('/2.0/files/inbox/cut.csv')).text).toBe('helloworld');
  });

  test('is shown with its description until it is complete', async () => {
    const { path } = await begin(acme, at('shown.csv'), 4);
    const { status, headers } = await inspect(acme, path);
    expect([status, headers.get('upload-length'), headers.get('cache-control')]).toEqual([200, '4', 'no-store']);
    expect(headers.get('upload-metadata')).toBe('folder aW5ib3g=,filename c2hvd24uY3N2,filetype dGV4dC9jc3Y=');
    expect(headers.get('upload-expires')).not.toBeNull();
  });

  test('may begin with its content, and be complete at once', async () => {
    const some = await begin(acme, at('some.csv'), 6, { body: 'abc' });
    expect([some.status, offsetOf(some), some.headers.get('x-fileset')]).toEqual([201, '3', null]);
    const all = await begin(acme, at('all.csv'), 3, { body: 'abc', headers: checksumOf('abc', 'sha256') });
    expect([all.status, offsetOf(all)]).toEqual([201, '3']);
    expect(all.headers.get('x-fileset')).not.toBeNull();
    const none = await begin(acme, at('none.csv'), 0);
    expect([none.status, none.headers.get('x-file-size')]).toEqual([201, '0']);
    expect((await acme.get('/2.0/files/inbox/none.csv')).status).toBe(200);
  });

  test('may be named by its whole path, and has the type octet-stream by default', async () => {
    await begin(acme, { path: 'inbox/sub/päth.bin' }, 1, { body: 'x' });
    const stored = await acme.get('/2.0/files/inbox/sub/p%C3%A4th.bin');
    expect([stored.text, stored.headers.get('content-type')]).toEqual(['x', 'application/octet-stream']);
  });

  test('can be sent by POST only', async () => {
    const { path } = await begin(acme, at('override.csv'), 2);
    const headers = { ...tusResumable, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
    const override = { 'x-http-method-override': 'PATCH' };
    expect((await acme.post(path, { headers: { ...headers, ...override }, body: 'x' })).status).toBe(204);
    const wrong = { ...tusResumable, ...override, 'upload-offset': '1', 'content-type': 'text/plain' };
    expect((await acme.post(path, { headers: wrong, body: 'x' })).status).toBe(415);
    const given = await acme.post(path, { headers: { ...tusResumable, 'x-http-method-override': 'DELETE' } });
    expect([given.status, (await inspect(acme, path)).status]).toEqual([204, 404]);
  });
});

describe('uploads of other users and requests', () => {
  test('an upload does not exist for another user', async () => {
    const { path } = await begin(acme, at('mine.csv'), 3);
    const globex = await peer.logIn('globex');
    for (const answer of [
      await inspect(globex, path),
      await append(globex, path, 0, 'abc'),
      await terminate(globex, path),
    ]) {
      expect([answer.status, answer.headers.get('tus-resumable')]).toEqual([404, '1.0.0']);
    }
    expect(failureOf(await terminate(globex, path))).toEqual([404, 'io', 'There is no such upload']);
    expect(offsetOf(await inspect(acme, path))).toBe('0');
  });

  test('of several that send the same part at once one adds it, and the others are refused', async () => {
    const { path } = await begin(acme, at('race.csv'), 6);
    const answers = await Promise.all(
      Array.from({ length: 5 }, async (_, index) =>
        append(index % 2 ? acme : await other.logIn('acme'), path, 0, 'abc'),
      ),
    );
    const statuses = answers.map(({ status }) => status).toSorted((one, another) => one - another);
    expect(statuses[0]).toBe(204);
    for (const status of statuses.slice(1)) expect([409, 423]).toContain(status);
    await append(acme, path, 3, 'def');
    expect((await acme.get('/2.0/files/inbox/race.csv')).text).toBe('abcdef');
  });
});

describe('a part with a checksum', () => {
  test.each(['sha1', 'sha256'])('%s: is added if it matches, and not if it does not', async (algorithm) => {
    const { path } = await begin(acme, at(`${algorithm}.csv`), 6);
    await append(acme, path, 0, 'abc', checksumOf('abc', algorithm));
    const refused = await append(acme, path, 3, 'dxf', checksumOf('def', algorithm));
    expect(failureOf(refused)).toEqual([460, 'io', 'The content does not have the checksum that was announced']);
    expect(offsetOf(await inspect(acme, path))).toBe('3');
    expect((await append(acme, path, 3, 'def', checksumOf('def', algorithm))).status).toBe(204);
    expect((await acme.get(`/2.0/files/inbox/${algorithm}.csv`)).text).toBe('abcdef');
  });

  test('gets the reason phrase of the protocol if it does not match', async () => {
    const { path } = await begin(acme, at('phrase.csv'), 3);
    const refused = await fetch(`${peer.url}${path}`, {
      method: 'PATCH',
      headers: {
        ...tusResumable,
        ...checksumOf('abd'),
        cookie: acme.cookies.header() ?? '',
        'content-type': 'application/offset+octet-stream',
        'upload-offset': '0',
      },
      body: 'abc',
    });
    expect([refused.status, refused.statusText]).toEqual([460, 'Checksum Mismatch']);
  });

  test.each(['md5 AAAAAAAAAAAAAAAAAAAAAA==', 'sha1 AAAA', 'sha1'])('is refused with %s', async (checksum) => {
    const { path } = await begin(acme, at('odd.csv'), 3);
    expect((await append(acme, path, 0, 'abc', { 'upload-checksum': checksum })).status).toBe(400);
    expect(offsetOf(await inspect(acme, path))).toBe('0');
  });
});

describe('an end without a file', () => {
  test('a terminated upload is removed with its bytes, even while they arrive; a stored file stays', async () => {
    const before = await onDisk();
    const { path } = await begin(acme, at('given-up.csv'), 10);
    await append(acme, path, 0, 'abc');
    expect((await onDisk()).length).toBe(before.length + 1);
    await appendSlowly({ url: peer.url, client: acme, path }, { offset: 3, content: 'def', size: 7 });
    expect((await terminate(acme, path)).status).toBe(204);
    expect(await onDisk()).toEqual(before);
    expect([(await inspect(acme, path)).status, (await terminate(acme, path)).status]).toEqual([404, 404]);

    const whole = await begin(acme, at('stays.csv'), 3, { body: 'abc' });
    expect((await terminate(acme, whole.path)).status).toBe(204);
    expect((await acme.get('/2.0/files/inbox/stays.csv')).status).toBe(200);
  });

  test('an expired upload no longer exists, and another part extends its time', async () => {
    const { path } = await begin(acme, at('expired.csv'), 10);
    const expireIn = (interval: string) =>
      rig.database.query('update http_files.resumable_uploads set expires_at = now() + $1::interval where id = $2', [
        interval,
        path.split('/').at(-1),
      ]);
    await expireIn('1 hour');
    const { headers } = await append(acme, path, 0, 'abc');
    expect(Date.parse(headers.get('upload-expires') ?? '')).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    await expireIn('-1 second');
    expect((await inspect(acme, path)).status).toBe(404);
    await begin(acme, at('next.csv'), 1);
    expect(await rig.database.query("select from http_files.resumable_uploads where path like '%expired%'")).toEqual(
      [],
    );
  });
});
