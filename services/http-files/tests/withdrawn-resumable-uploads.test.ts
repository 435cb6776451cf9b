import type { HttpClient, HttpResponse } from '@waybill/test-kit/create-http-client';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { failureOf } from './endpoint-requests.ts';
import { onePeer } from './test-peers.ts';
import { append, begin, beginPart, describedAs, inspect, joinParts, tusResumable } from './tus-requests.ts';
import { withdrawals, withdrawalOf } from './withdrawals.ts';

const site = onePeer();
let acme: HttpClient;
beforeEach(async () => {
  acme = await site.peer.logIn('acme');
});
afterEach(async () => {
  for (const { undo } of Object.values(withdrawals)) await site.rig.database.query(undo);
  await site.rig.database.query(`DELETE FROM filebox.entries WHERE name = 'cut.bin'`);
});
/** Brings an upload to where one request is missing, and returns that request. */
const uploads: Readonly<Record<string, () => Promise<(client: HttpClient) => Promise<HttpResponse>>>> = {
  'the POST that joins partial uploads': async () => {
    const parts = [await beginPart(acme, 'first '), await beginPart(acme, 'second')];
    return (client) => joinParts(client, parts, 'inbox/cut.bin');
  },
  'the PATCH with the last bytes': async () => {
    const { path } = await begin(acme, { path: 'inbox/cut.bin' }, 12);
    expect((await append(acme, path, 0, 'first ')).status).toBe(204);
    // As clients do: whether the bytes of a refused request were kept is asked first.
    return async (client) => {
      const offset = Number((await inspect(client, path)).headers.get('upload-offset') ?? 6);
      return append(client, path, offset, 'first second'.slice(offset));
    };
  },
  'the POST with all of the content': () =>
    Promise.resolve((client) => begin(client, { path: 'inbox/cut.bin' }, 12, { body: 'first second' })),
  'the PATCH that says the length': async () => {
    const described = { 'upload-defer-length': '1', 'upload-metadata': describedAs({ path: 'inbox/cut.bin' }) };
    const { headers } = await acme.post('/2.0/uploads', { headers: { ...tusResumable, ...described } });
    const path = new URL(headers.get('location') ?? '').pathname;
    expect((await append(acme, path, 0, 'first second')).status).toBe(204);
    return (client) => append(client, path, 12, '', { 'upload-length': '12' });
  },
};

const stored = async () => (await site.rig.database.query(`SELECT FROM filebox.entries WHERE name = 'cut.bin'`)).length;
/** Files that contracts were told of. */
const announced = async () => {
  const stored = `SELECT FROM outbox.events WHERE topic = 'file-event' AND payload ->> 'kind' = 'stored'`;
  return (await site.rig.database.query(stored)).length;
};

/** When the permission comes back, it is remembered for a second that it was missing. */
const permitted = (client: HttpClient) =>
  waitFor(async () => (await begin(client, { path: 'inbox/probe' }, 1)).status === 201, { what: 'the permission' });

const cases = Object.keys(withdrawals).flatMap((cause) => Object.keys(uploads).map((way) => [way, cause] as const));

describe.each(cases)('%s of a user who before that %s', (way, cause) => {
  const { change, undo, refusal } = withdrawalOf(cause);

  test('is refused, delivers nothing, and succeeds when the user has the right again', async () => {
    const finish = await uploads[way]!();
    const before = await announced();
    await site.rig.database.query(change);
    expect(failureOf(await finish(acme)).slice(0, 2)).toEqual(refusal);
    expect([await stored(), await announced()]).toEqual([0, before]);

    await site.rig.database.query(undo);
    const again = await site.peer.logIn('acme');
    await permitted(again);
    expect([201, 204]).toContain((await finish(again)).status);
    expect((await again.get('/2.0/files/inbox/cut.bin')).text).toBe('first second');
    expect(await announced()).toBe(before + 1);
  });
});

const finishing = ['the POST that joins partial uploads', 'the PATCH with the last bytes'];
const inTheMiddle = Object.keys(withdrawals).flatMap((cause) => finishing.map((way) => [way, cause] as const));

test.each(inTheMiddle)('%s delivers nothing when its user %s while it is being stored', async (way, cause) => {
  const { change, refusal } = withdrawalOf(cause);
  const finish = await uploads[way]!();
  const before = await announced();
  const transaction = await site.rig.db.transaction();
  // The statement that delivers waits here, and others go on.
  await transaction.raw('LOCK TABLE filebox.entries IN EXCLUSIVE MODE');
  const answer = finish(acme);
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await waitFor(async () => (await site.rig.database.query(waiting)).length > 0, { what: 'the delivery' });
  await transaction.raw(change);
  await transaction.commit();
  expect(failureOf(await answer).slice(0, 2)).toEqual(refusal);
  expect([await stored(), await announced()]).toEqual([0, before]);
});
