import type { HttpClient } from '@waybill/test-kit/create-http-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { failureOf } from './endpoint-requests.ts';
import { formOf } from './form-of.ts';
import { twoPeers } from './test-peers.ts';

const site = twoPeers({ users: ['acme'] });
let elsewhere: HttpClient;

beforeAll(async () => {
  elsewhere = await site.other.logIn('acme');
});

const reused = [422, 'request_syntax', 'The idempotency key belongs to another request'];

function put(client: HttpClient, name: string, key: string, body = 'content', headers: Record<string, string> = {}) {
  return client.put(`/2.0/files/inbox/${name}`, {
    body,
    headers: { 'content-type': 'text/plain', 'idempotency-key': key, ...headers },
  });
}

/** The recorded uploads, without refused ones. */
const uploads = async () => {
  const records = await site.rig.audited();
  return records.filter(
    ({ auditOperation, auditMessage }) =>
      auditOperation === 'SERVER_UPLOAD_FILE' && !auditMessage.includes(' was refused: '),
  ).length;
};

describe('an upload that is sent again under its Idempotency-Key', () => {
  test('gets the first response again, on any peer, and is stored once', async () => {
    const before = await uploads();
    const first = await put(site.acme, 'once.txt', 'k1');
    const second = await put(elsewhere, 'once.txt', 'k1');
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.json()).toEqual(first.json());
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(second.headers.get('x-dataflow-id')).toBe(first.headers.get('x-dataflow-id'));
    expect([first, second].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true']);
    expect(await uploads()).toBe(before + 1);
  });

  test('gets it although its precondition no longer holds', async () => {
    const headers = { 'if-none-match': '*' };
    const first = await put(site.acme, 'new-once.txt', 'k2', 'x', headers);
    const second = await put(site.acme, 'new-once.txt', 'k2', 'x', headers);
    expect(second.json()).toEqual(first.json());
  });

  test('gets it if both are sent at once', async () => {
    const before = await uploads();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        put(index % 2 === 0 ? site.acme : elsewhere, 'parallel.txt', 'k3', 'same', { 'if-none-match': '*' }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await uploads()).toBe(before + 1);
  });

  test('gets it with a form and its metadata', async () => {
    const send = (metadata: string) =>
      site.acme.post('/2.0/files/inbox', {
        multipart: formOf('x', { name: 'form.txt', metadata }),
        headers: { 'idempotency-key': 'k4' },
      });
    const first = await send('{"A":"1","B":"2"}');
    expect((await send('{"B":"2","A":"1"}')).json()).toEqual(first.json());
    expect(failureOf(await send('{"A":"2"}'))).toEqual(reused);
  });
});

describe('the same key with another request is refused', () => {
  test.each([
    ['another path', 'other.txt', 'content'],
    ['another length', 'first.txt', 'content and more'],
    ['other content of that length', 'first.txt', 'CONTENT'],
  ])('%s: 422, and nothing is stored', async (_what, name, body) => {
    await put(site.acme, 'first.txt', 'k5');
    const before = await uploads();
    expect(failureOf(await put(site.acme, name, 'k5', body))).toEqual(reused);
    expect(await uploads()).toBe(before);
  });

  test('also if both are sent at once: one of them is stored', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => put(site.acme, `each-${index}.txt`, 'k6', `content ${index}`)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(5);
  });
});

test('a key belongs to one user: another one may use it for another upload', async () => {
  await put(site.acme, 'mine.txt', 'k7');
  const globex = await site.peer.logIn('globex');
  const headers = { 'content-type': 'text/plain', 'idempotency-key': 'k7' };
  const answer = await globex.put('/2.0/files/data/theirs.txt', { body: 'x', headers });
  expect(answer.status).toBe(201);
  expect(answer.headers.get('idempotency-replayed')).toBeNull();
});

test('a failed upload does not use up the key', async () => {
  const headers = { 'if-match': '*' };
  expect((await put(site.acme, 'late.txt', 'k8', 'x', headers)).status).toBe(412);
  expect((await put(site.acme, 'late.txt', 'k8')).status).toBe(201);
});

test('a key is free again after 24 hours, and deleted', async () => {
  await put(site.acme, 'day.txt', 'k9');
  await site.rig.database.query("update http_files.idempotency_keys set expires_at = expires_at - interval '24 hours'");
  const again = await put(site.acme, 'day.txt', 'k9', 'something else');
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, null]);
  expect(await site.rig.database.query('select key from http_files.idempotency_keys')).toEqual([{ key: 'k9' }]);
});
