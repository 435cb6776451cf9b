import { afterEach, describe, expect, test } from 'vitest';
import { failureOf } from './endpoint-requests.ts';
import { twoPeers } from './test-peers.ts';
import { append, begin, beginPart, inspect, joinParts, terminate, tusResumable } from './tus-requests.ts';

const site = twoPeers({ env: { RESUMABLE_UPLOAD_LIMIT_BYTES: '1000' }, users: ['acme', 'globex'] });

afterEach(async () => {
  await site.rig.database.query('delete from http_files.resumable_uploads where fileset is null');
});

const partial = { 'upload-concat': 'partial' };

const stored = async (path: string) => {
  const { status, text } = await site.acme.get(`/2.0/files/${path}`);
  return status === 200 ? text : status;
};

describe('partial uploads', () => {
  test('are joined into one file in the order that the client gives, by their paths or their addresses', async () => {
    const parts = [
      await beginPart(site.acme, 'one'),
      await beginPart(site.acme, ''),
      await beginPart(site.acme, 'two'),
    ];
    const answer = await joinParts(
      site.acme,
      [parts[2] ?? '', `${site.peer.url}${parts[1]}`, parts[0] ?? ''],
      'inbox/joined.txt',
    );
    expect([answer.status, answer.headers.get('upload-offset'), answer.headers.get('x-file-size')]).toEqual([
      201,
      '6',
      '6',
    ]);
    expect(await stored('inbox/joined.txt')).toBe('twoone');
    const { pathname } = new URL(answer.headers.get('location') ?? '');
    const final = await inspect(site.acme, pathname);
    expect(final.headers.get('upload-concat')).toBe(`final;${[parts[2], parts[1], parts[0]].join(' ')}`);
    expect([final.headers.get('upload-length'), final.headers.get('upload-offset')]).toEqual(['6', '6']);
    expect(failureOf(await append(site.acme, pathname, 6, 'x'))).toEqual([
      403,
      'request_syntax',
      'A final upload takes no content',
    ]);
    for (const part of parts) expect((await inspect(site.acme, part)).status).toBe(404);
    expect(await site.rig.database.query('select from filebox.uploads')).toEqual([]);
  });

  test('describe themselves, never become a file, and are in no listing', async () => {
    const part = await beginPart(site.acme, 'whole');
    const { headers } = await inspect(site.acme, part);
    expect([headers.get('upload-concat'), headers.get('upload-offset'), headers.get('x-fileset')]).toEqual([
      'partial',
      '5',
      null,
    ]);
    expect((await site.acme.get('/2.0/countelements/inbox?filter=partial*')).text).toBe('0');
    expect((await terminate(site.acme, part)).status).toBe(204);
    expect((await inspect(site.acme, part)).status).toBe(404);
  });

  test('are committed to the folder that the client names, if it may upload there', async () => {
    const described = (path: string) => begin(site.acme, { path }, 1, { headers: partial });
    expect((await described('inbox/x')).status).toBe(201);
    expect(failureOf(await described('outbox/x'))).toEqual([403, 'authorization', 'No write permission']);
    expect((await described('inbox/nope/x')).status).toBe(404);
  });

  test('may be joined again if the response was lost: the file is stored once, and any peer repeats the response', async () => {
    const parts = [await beginPart(site.acme, 'a'), await beginPart(site.acme, 'b')];
    const first = await joinParts(site.acme, parts, 'inbox/lost-answer.txt');
    await site.acme.put('/2.0/files/inbox/lost-answer.txt', { body: 'newer' });
    const elsewhere = await site.other.logIn('acme');
    const again = await joinParts(elsewhere, parts, 'inbox/lost-answer.txt');
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(again.headers.get('x-fileset')).toBe(first.headers.get('x-fileset'));
    expect(await stored('inbox/lost-answer.txt')).toBe('newer');
    expect((await joinParts(site.acme, parts, 'inbox/another-place.txt')).status).toBe(404);
  });

  test('that were joined by a process which died in the middle are joined by the next request', async () => {
    const parts = [await beginPart(site.acme, 'first '), await beginPart(site.acme, 'second')];
    const part = parts[1]?.split('/').at(-1) ?? '';
    const hold = (lease: string) =>
      site.rig.database.query(
        `update filebox.uploads set lease_until = now() + $2 where blob_id =
         (select blob_id from http_files.resumable_uploads where id = $1)`,
        [part, lease],
      );
    await hold('1 hour');
    const held = await joinParts(site.acme, parts, 'inbox/halfway.txt');
    expect(held.status).toBe(423);
    expect(await stored('inbox/halfway.txt')).toBe(404);
    await hold('-1 hour');
    expect((await joinParts(site.acme, parts, 'inbox/halfway.txt')).status).toBe(201);
    expect(await stored('inbox/halfway.txt')).toBe('first second');
  });

  test('may be joined by several requests at once, to one place or several: one file is stored', async () => {
    for (let round = 0; round < 8; round += 1) {
      const parts = [await beginPart(site.acme, 'x'.repeat(400)), await beginPart(site.acme, 'y'.repeat(400))];
      const places = Array.from({ length: 6 }, (_, at) => `inbox/at-once-${round}-${round % 2 === 0 ? 0 : at}.txt`);
      const answers = await Promise.all(places.map((path) => joinParts(site.acme, parts, path)));
      expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
      const others = answers.filter(({ status }) => ![201, 404, 423].includes(status));
      expect(others.map(({ status, text }) => `${status} ${text}`)).toEqual([]);
      const filesets = answers.map(({ headers }) => headers.get('x-fileset')).filter((fileset) => fileset !== null);
      expect(new Set(filesets).size).toBe(1);
      expect((await site.acme.get(`/2.0/countelements/inbox?filter=at-once-${round}-*`)).text).toBe('1');
      const events = "select from outbox.events where topic = 'file-event' and payload::text like $1";
      expect(await site.rig.database.query(events, [`%at-once-${round}-%`])).toHaveLength(1);
    }
  });

  test('are refused as parts if they are unknown, not complete, not partial, of another user or named twice', async () => {
    const whole = await beginPart(site.acme, 'whole');
    const { path: ordinary } = await begin(site.acme, { path: 'inbox/ordinary' }, 1);
    const cases: [string, string[], number][] = [
      ['unknown', [whole, '/2.0/uploads/none'], 404],
      ['not complete', [whole, await beginPart(site.acme, 'ha', 4)], 400],
      ['not begun', [await beginPart(site.acme, '', 4), whole], 400],
      ['not partial', [whole, ordinary], 400],
      ["another user's", [await beginPart(site.globex, 'theirs')], 404],
      ['twice', [whole, whole], 400],
      ['none', [''], 400],
      ['no address', ['/2.0/files/inbox/a'], 400],
      ['many', Array.from({ length: 500 }, (_, at) => `/2.0/uploads/${at}`), 404],
    ];
    for (const [what, parts, status] of cases) {
      expect([what, (await joinParts(site.acme, parts, 'inbox/never.txt')).status]).toEqual([what, status]);
    }
    expect(await stored('inbox/never.txt')).toBe(404);
    expect((await inspect(site.acme, whole)).status).toBe(200);
  });

  test('are joined only within the rules of an upload', async () => {
    const parts = [await beginPart(site.acme, 'z'.repeat(600)), await beginPart(site.acme, 'z'.repeat(600))];
    const [one = ''] = parts;
    expect((await joinParts(site.acme, parts, 'inbox/too-big.txt')).status).toBe(413);
    expect((await joinParts(site.acme, [one], 'outbox/no.txt')).status).toBe(403);
    expect((await joinParts(site.acme, [one], 'inbox/nope/no.txt')).status).toBe(404);
    expect((await joinParts(site.acme, [one], 'inbox/a.txt', { 'upload-length': '600' })).status).toBe(400);
    expect((await joinParts(site.acme, [one], 'inbox/a.txt', { 'upload-metadata': '' })).status).toBe(400);
    await site.acme.put('/2.0/files/inbox/there.txt', { body: 'there' });
    expect((await joinParts(site.acme, [one], 'inbox/there.txt', { 'if-none-match': '*' })).status).toBe(412);
    expect(await stored('inbox/there.txt')).toBe('there');
    expect((await joinParts(site.acme, [one], 'inbox/good.txt')).status).toBe(201);
  });

  test('need the upload permission for some folder', async () => {
    const reader = await site.peer.logIn('reader');
    const answer = await reader.post('/2.0/uploads', {
      headers: { ...tusResumable, ...partial, 'upload-length': '1' },
    });
    expect(failureOf(answer)).toEqual([403, 'authorization', 'No write permission']);
  });
});
