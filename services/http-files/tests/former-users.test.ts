import type { HttpClient, HttpResponse } from '@waybill/test-kit/create-http-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { giveNameAway } from './test-configuration.ts';
import { onePeer } from './test-peers.ts';
import { append, begin, beginPart, inspect, joinParts, terminate } from './tus-requests.ts';

const site = onePeer({ users: ['globex'] });
const stored = z.looseObject({ fileset: z.string() });

const put = (client: HttpClient, name: string, body: string, key: string) =>
  client.put(`/2.0/files/data/${name}`, { body, headers: { 'content-type': 'text/plain', 'idempotency-key': key } });

let former: HttpResponse;
let unfinished: string;
let part: string;
let newcomer: HttpClient;

// The user `globex` of one partner leaves all of this; then a user of another partner gets the name.
beforeAll(async () => {
  former = await put(site.globex, 'plan.txt', 'merger', 'k1');
  await put(site.globex, 'same.txt', 'the same', 'k2');
  unfinished = (
    await begin(site.globex, { folder: 'data', filename: 'rest.csv' }, 10, { headers: { 'idempotency-key': 'u1' } })
  ).path;
  await append(site.globex, unfinished, 0, 'abc');
  part = await beginPart(site.globex, 'part');
  await giveNameAway(site.rig.db);
  newcomer = await site.peer.logIn('globex', 'newcomer-demo');
});

const ofFormer = () => stored.parse(former.json()).fileset;

describe('a user who gets the name of a deleted user of another partner', () => {
  test('reads no receipts of the former user', async () => {
    expect(former.status).toBe(201);
    expect((await newcomer.get(`/2.0/receipts/${ofFormer()}`)).status).toBe(404);
  });

  test('reads none that an earlier release has stored, without the id of its user', async () => {
    await site.rig.database.query('update http_files.receipts set user_id = null where fileset = $1', [ofFormer()]);
    expect((await newcomer.get(`/2.0/receipts/${ofFormer()}`)).status).toBe(404);
  });

  test('is not answered what the former user was, and may use the same keys', async () => {
    const same = await put(newcomer, 'same.txt', 'the same', 'k2');
    const other = await put(newcomer, 'plan.txt', 'another plan', 'k1');
    expect([same, other].map(({ status }) => status)).toEqual([201, 201]);
    expect([same, other].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, null]);
    expect((await newcomer.get('/2.0/files/data/same.txt')).text).toBe('the same');
    const again = await put(newcomer, 'plan.txt', 'another plan', 'k1');
    expect([again.headers.get('idempotency-replayed'), again.json()]).toEqual(['true', other.json()]);
  });

  test('sees, continues, joins and ends no uploads of the former user', async () => {
    expect((await inspect(newcomer, unfinished)).status).toBe(404);
    expect((await append(newcomer, unfinished, 3, 'defghij')).status).toBe(404);
    expect((await joinParts(newcomer, [part], 'data/joined.txt')).status).toBe(404);
    expect((await terminate(newcomer, unfinished)).status).toBe(404);
    const own = await begin(newcomer, { folder: 'data', filename: 'rest.csv' }, 10, {
      headers: { 'idempotency-key': 'u1' },
    });
    expect(own.path).not.toBe(unfinished);
    expect([own.status, (await inspect(newcomer, own.path)).headers.get('upload-offset')]).toEqual([201, '0']);
  });

  test('reads its own receipts', async () => {
    const { fileset } = stored.parse((await put(newcomer, 'own.txt', 'own', 'k3')).json());
    expect((await newcomer.get(`/2.0/receipts/${fileset}`)).json()).toMatchObject({ userName: 'globex', size: 3 });
  });
});
