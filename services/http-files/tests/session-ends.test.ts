import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpClient } from '@waybill/test-kit/create-http-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFilesRig, type FilesRig, type RunningPeer } from './files-rig.ts';
import { begin, tusResumable } from './tus-requests.ts';

let rig: FilesRig;
let peer: RunningPeer;
let other: RunningPeer;
/** Its sessions last longer than a test. */
let patient: RunningPeer;

beforeAll(async () => {
  rig = await createFilesRig();
  const env = { SESSION_IDLE_SECONDS: '4' };
  [peer, other, patient] = await Promise.all([rig.start('peer1', env), rig.start('peer2', env), rig.start('peer3')]);
});

afterAll(async () => {
  await peer[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
  await patient[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

const logoutsOf = async (userName: string) =>
  (await rig.audited())
    .filter(({ auditOperation, dataoneUser }) => auditOperation === 'SERVER_LOGOUT' && dataoneUser === userName)
    .map(({ auditMessage }) => auditMessage);

const openSessions = () => rig.database.query('select from http_files.login_sessions');

/** Time for two sweeps of every peer, which leave no trace if there is nothing to end. */
const twoSweeps = () => delay(4_500);

/** Twice as long as a session of `peer` lasts without use. */
const longTransfer = () => delay(8_000);

/** Sends the first half of eight bytes to an upload that has begun. */
async function sendHalf(client: HttpClient, filename: string): Promise<ClientRequest> {
  const { path } = await begin(client, { folder: 'inbox', filename }, 8);
  const headers = {
    ...tusResumable,
    cookie: client.cookies.header() ?? '',
    'content-type': 'application/offset+octet-stream',
    'content-length': '8',
    'upload-offset': '0',
  };
  const sending = request(`${peer.url}${path}`, { method: 'PATCH', headers });
  sending.on('error', () => {});
  sending.write('half');
  return sending;
}

/** A download that the client does not read on. */
async function openDownload(client: HttpClient, path: string): Promise<IncomingMessage> {
  const asking = request(`${peer.url}${path}`, { headers: { cookie: client.cookies.header() ?? '' } });
  asking.end();
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  return response.pause();
}

describe('the end of a login session is audited once, with its reason', () => {
  test('when it was not used', async () => {
    await peer.logIn('acme');
    const ended = 'User acme has been logged out: not used for 4 s';
    await expect.poll(() => logoutsOf('acme')).toEqual([ended]);
    const record = (await rig.audited()).find(({ auditMessage }) => auditMessage === ended);
    expect(record).toMatchObject({ auditCode: 'AUD0046A', nodeId: 'peer1', entityName: 'http-server' });
    await twoSweeps();
    expect(await logoutsOf('acme')).toHaveLength(1);
    expect(await openSessions()).toEqual([]);
  });

  test('when a program has only repeated requests that say so', async () => {
    const client = await peer.logIn('initech');
    const before = await logoutsOf('initech');
    const headers = { 'waybill-purpose': 'refresh' };
    await expect.poll(async () => (await client.get('/2.0/directories/', { headers })).status).toBe(401);
    const ended = 'User initech has been logged out: not used for 4 s';
    await expect.poll(() => logoutsOf('initech')).toEqual([...before, ended]);
  });

  test('when Redis has lost it', async () => {
    const client = await peer.logIn('hooli');
    await rig.redis.flush();
    expect((await client.get('/2.0/directories/')).status).toBe(401);
    await expect
      .poll(() => logoutsOf('hooli'))
      .toEqual(['User hooli has been logged out: lost with the data of Redis']);
  });

  test('not while it is used', async () => {
    const client = await peer.logIn('hooli');
    const before = await logoutsOf('hooli');
    for (let round = 0; round < 10; round += 1) {
      // Ten times this is longer than a session lasts without use.
      await delay(600);
      expect((await client.get('/2.0/directories/')).status).toBe(200);
    }
    expect(await logoutsOf('hooli')).toEqual(before);
    await client.post('/2.0/logout');
    expect(await logoutsOf('hooli')).toEqual([...before, 'User hooli has logged out']);
  });

  test('not while an upload or a download runs, and a logout meanwhile is final', async () => {
    await rig.plant('acme-files', '/inbox/large.bin', 'x'.repeat(30_000_000));
    const [sender, reader, leaver] = [await peer.logIn('acme'), await peer.logIn('acme'), await peer.logIn('acme')];
    const before = await logoutsOf('acme');
    const [upload, abandoned] = [await sendHalf(sender, 'slow.bin'), await sendHalf(leaver, 'abandoned.bin')];
    const download = await openDownload(reader, '/2.0/files/inbox/large.bin');
    await leaver.get('/2.0/directories/');
    const leaversCookie = leaver.cookies.header() ?? '';
    await leaver.post('/2.0/logout');
    const loggedOut = [...before, 'User acme has logged out'];

    await longTransfer();
    expect(await logoutsOf('acme')).toEqual(loggedOut);
    const answered = once(upload, 'response');
    upload.end('full');
    const [{ statusCode }] = (await answered) as [IncomingMessage];
    expect(statusCode).toBe(204);
    expect((await sender.get('/2.0/files/inbox/slow.bin')).text).toBe('halffull');
    expect((await reader.get('/2.0/directories/')).status).toBe(200);
    expect((await leaver.get('/2.0/directories/', { headers: { cookie: leaversCookie } })).status).toBe(401);

    download.destroy();
    abandoned.destroy();
    const unused = 'User acme has been logged out: not used for 4 s';
    await expect.poll(() => logoutsOf('acme')).toEqual([...loggedOut, unused, unused]);
  });

  test.each([
    [
      'frozen',
      "insert into directory.frozen_users values ('globex', now(), 'admin')",
      'delete from directory.frozen_users',
      'the user was frozen or disabled',
    ],
    [
      'given another password',
      "update directory.partner_users set password_hash = password_hash || 'x' where name = 'globex'",
      "update directory.partner_users set password_hash = left(password_hash, -1) where name = 'globex'",
      'the user has another password',
    ],
  ])('when its user is %s: at the next request, at the logout, or without either', async (_, change, undo, reason) => {
    const before = await logoutsOf('globex');
    const [one, two] = [await patient.logIn('globex'), await patient.logIn('globex'), await patient.logIn('globex')];
    await rig.database.query(change);
    expect((await one.get('/2.0/directories/')).status).toBe(401);
    expect((await logoutsOf('globex')).length).toBeGreaterThan(before.length);
    expect([200, 401]).toContain((await two.post('/2.0/logout')).status);
    const ended = `User globex has been logged out: ${reason}`;
    await expect.poll(() => logoutsOf('globex')).toEqual([...before, ended, ended, ended]);
    await rig.database.query(undo);
    expect((await one.get('/2.0/directories/')).status).toBe(401);
  });

  test('a logout by several requests at once', async () => {
    const before = await logoutsOf('initech');
    const client = await peer.logIn('initech');
    const cookie = client.cookies.header() ?? '';
    const urls = [peer.url, other.url, peer.url, other.url];
    await Promise.all(urls.map((url) => fetch(`${url}/2.0/logout`, { method: 'POST', headers: { cookie } })));
    expect(await logoutsOf('initech')).toEqual([...before, 'User initech has logged out']);
  });
});
