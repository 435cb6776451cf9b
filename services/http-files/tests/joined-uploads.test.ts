import type { HttpClient } from '@waybill/test-kit/create-http-client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { failureOf } from './endpoint-requests.ts';
import { createFilesRig, type FilesRig, type RunningPeer } from './files-rig.ts';
import { append, begin, beginPart, inspect, joinParts, terminate, tusResumable } from './tus-requests.ts';

let rig: FilesRig;
let peer: RunningPeer;
let other: RunningPeer;
let acme: HttpClient;
let globex: HttpClient;

beforeAll(async () => {
  rig = await createFilesRig();
  const limits = { RESUMABLE_UPLOAD_LIMIT_BYTES: '1000' };
  [peer, other] = [await rig.start('peer1', limits), await rig.start('peer2', limits)];
  [acme, globex] = [await peer.logIn('acme'), await peer.logIn('globex')];
});

afterEach(async () => {
  await rig.database.query('delete from http_files.resumable_uploads where fileset is null');
});

afterAll(() => rig[Symbol.asyncDispose]());

const partial = { 'upload-concat': 'partial' };

const stored = async (path: string) => {
  const { status, text } = await acme.get(`/2.0/files/${path}`);
  return status === 200 ? text : status;
};

describe('partial uploads', () => {
  test('are joined into one file in the order that the client gives, by their paths or their addresses', async () => {
    const parts = [await beginPart(acme, 'one'), await beginPart(acme, ''), await beginPart(acme, 'two')];
    const answer = await joinParts(
      acme,
      [parts[2] ?? '', `${peer.url}${parts[1]}`, parts[0] ?? ''],
      'inbox/joined.txt',
    );
    expect([answer.status, answer.headers.get('upload-offset'), answer.headers.get('x-file-size')]).toEqual([
      201,
      '6',
      '6',
    ]);
    expect(await stored('inbox/joined.txt')).toBe('twoone');
    const { pathname } = new URL(answer.headers.get('location') ?? '');
    const final = await inspect(acme, pathname);
    expect(final.headers.get('upload-concat')).toBe(`final;${[parts[2], parts[1], parts[0]].join(' ')}`);
    expect([final.headers.get('upload-length'), final.headers.get('upload-offset')]).toEqual(['6', '6']);
    expect(failureOf(await append(acme, pathname, 6, 'x'))).toEqual([
      403,
      'request_syntax',
      'A final upload takes no content',
    ]);
    for (const part of parts) expect((await inspect(acme, part)).status).toBe(404);
    expect(await rig.database.query('select from filebox.uploads')).toEqual([]);
  });

  test('describe themselves, never become a file, and are in no listing', async () => {
    const part = await beginPart(acme, 'whole');
    const { headers } = await inspect(acme, part);
    expect([headers.get('upload-concat'), headers.get('upload-offset'), headers.get('x-fileset')]).toEqual([
      'partial',
      '5',
      null,
    ]);
    expect((await acme.get('/2.0/countelements/inbox?filter=partial*')).text).toBe('0');
    expect((await terminate(acme, part)).status).toBe(204);
    expect((await inspect(acme, part)).status).toBe(404);
  });

  test('are committed to the folder that the client names, if it may upload there', async () => {
    const described = (path: string) => begin(acme, { path }, 1, { headers: partial });
    expect((await described('inbox/x')).status).toBe(201);
    expect(failureOf(await described('outbox/x'))).toEqual([403, 'authorization', 'No write permission']);
    expect((await described('inbox/nope/x')).status).toBe(404);
  });

  test('may be joined again if the response was lost: the file is stored once, and any peer repeats the response', async () => {
    const parts = [await beginPart(acme, 'a'), await beginPart(acme, 'b')];
    const first = await joinParts(acme, parts, 'inbox/lost-answer.txt');
    await acme.put('/2.0/files/inbox/lost-answer.txt', { body: 'newer' });
    const elsewhere = await other.logIn('acme');
    const again = await joinParts(elsewhere, parts, 'inbox/lost-answer.txt');
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(again.headers.get('x-fileset')).toBe(first.headers.get('x-fileset'));
    expect(await stored('inbox/lost-answer.txt')).toBe('newer');
    expect((await joinParts(acme, parts, 'inbox/another-place.txt')).status).toBe(404);
  });

  test('that were joined by a process which died in the middle are joined by the next request', async () => {
    const parts = [await beginPart(acme, 'first '), await beginPart(acme, 'second')];
    const part = parts[1]?.split('/').at(-1) ?? '';
    const hold = (lease: string) =>
      rig.database.query(
        `update filebox.uploads set lease_until = now() + $2 where blob_id =
         (select blob_id from http_files.resumable_uploads where id = $1)`,
        [part, lease],
      );
    await hold('1 hour');
    const held = await joinParts(acme, parts, 'inbox/halfway.txt');
    expect(held.status).toBe(423);
    expect(await stored('inbox/halfway.txt')).toBe(404);
    await hold('-1 hour');
    expect((await joinParts(acme, parts, 'inbox/halfway.txt')).status).toBe(201);
    expect(await stored('inbox/halfway.txt')).toBe('first second');
  });

  test('may be joined by several requests at once, to one place or several: one file is stored', async () => {
    for (let round = 0; round < 8; round += 1) {
      const parts = [await beginPart(acme, 'x'.repeat(400)), await beginPart(acme, 'y'.repeat(400))];
      const places = Array.from({ length: 6 }, (_, at) => `inbox/at-once-${round}-${round % 2 === 0 ? 0 : at}.txt`);
      const answers = await Promise.all(places.map((path) => joinParts(acme, parts, path)));
      expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
      const others = answers.filter(({ status }) => ![201, 404, 423].includes(status));
      expect(others.map(({ status, text }) => `${status} ${text}`)).toEqual([]);
      const filesets = answers.map(({ headers }) => headers.get('x-fileset')).filter((fileset) => fileset !== null);
      expect(new Set(filesets).size).toBe(1);
      expect((await acme.get(`/2.0/countelements/inbox?filter=at-once-${round}-*`)).text).toBe('1');
      const events = "select from outbox.events where topic = 'file-event' and payload::text like $1";
      expect(await rig.database.query(events, [`%at-once-${round}-%`])).toHaveLength(1);
    }
  });

  test('are refused as parts if they are unknown, not complete, not partial, of another user or named twice', async () => {
    const whole = await beginPart(acme, 'whole');
    const { path: ordinary } = await begin(acme, { path: 'inbox/ordinary' }, 1);
    const cases: [string, string[], number][] = [
      ['unknown', [whole, '/2.0/uploads/none'], 404],
      ['not complete', [whole, await beginPart(acme, 'ha', 4)], 400],
      ['not begun', [await beginPart(acme, '', 4), whole], 400],
      ['not partial', [whole, ordinary], 400],
      ["another user's", [await beginPart(globex, 'theirs')], 404],
      ['twice', [whole, whole], 400],
      ['none', [''], 400],
      ['no address', ['/2.0/files/inbox/a'], 400],
      ['many', Array.from({ length: 500 }, (_, at) => `/2.0/uploads/${at}`), 404],
    ];
    for (const [what, parts, status] of cases) {
      expect([what, (await joinParts(acme, parts, 'inbox/never.txt')).status]).toEqual([what, status]);
    }
    expect(await stored('inbox/never.txt')).toBe(404);
    expect((await inspect(acme, whole)).status).toBe(200);
  });

  test('are joined only within the rules of an upload', async () => {
    const parts = [await beginPart(acme, 'z'.repeat(600)), await beginPart(acme, 'z'.repeat(600))];
    const [one = ''] = parts;
    expect((await joinParts(acme, parts, 'inbox/too-big.txt')).status).toBe(413);
    expect((await joinParts(acme, [one], 'outbox/no.txt')).status).toBe(403);
    expect((await joinParts(acme, [one], 'inbox/nope/no.txt')).status).toBe(404);
    expect((await joinParts(acme, [one], 'inbox/a.txt', { 'upload-length': '600' })).status).toBe(400);
    expect((await joinParts(acme, [one], 'inbox/a.txt', { 'upload-metadata': '' })).status).toBe(400);
    await acme.put('/2.0/files/inbox/there.txt', { body: 'there' });
    expect((await joinParts(acme, [one], 'inbox/there.txt', { 'if-none-match': '*' })).status).toBe(412);
    expect(await stored('inbox/there.txt')).toBe('there');
    expect((await joinParts(acme, [one], 'inbox/good.txt')).status).toBe(201);
  });

  test('need the upload permission for some folder', async () => {
    const reader = await peer.logIn('reader');
    const answer = await reader.post('/2.0/uploads', {
      headers: { ...tusResumable, ...partial, 'upload-length': '1' },
    });
    expect(failureOf(answer)).toEqual([403, 'authorization', 'No write permission']);
  });
});
