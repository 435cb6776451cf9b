import { generateKeyPairSync } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createSigningKey } from '@waybill/access/signing-key';
import { createTokenIssuer } from '@waybill/access/token-issuer';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { onlyKey } from '@waybill/signing-keys/key-set';
import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { waitFor } from '@waybill/test-kit/wait-for';
import { describe, expect, it } from 'vitest';
import { beginUpload } from './begin-upload.ts';
import { followEvents } from './follow-events.ts';
import { connectRawSftp } from './raw-sftp-client.ts';
import { twoGateways } from './test-gateways.ts';

const path = '/platform-application/api/v1/infrastructure/clusters/server-sessions';
const peers = twoGateways();

async function list(query: Record<string, string> = {}) {
  const answer = await createHttpClient(peers.second.httpUrl).get(path, { query, bearer: peers.rig.tokenOf('Users') });
  expect(answer.status).toBe(200);
  return answer.json() as { totalCount: number; sessions: Record<string, unknown>[] };
}

describe('the list of sessions', () => {
  it.each([
    [path, 'username', 'is not a parameter of this request; did you mean userName?'],
    ['/platform-application/api/v1/infrastructure/login-bans', 'address', 'is not a parameter of this request'],
  ])('and that of bans: %s refuses the unknown parameter %s', async (address, field, message) => {
    const query = { [field]: 'acme' };
    const answer = await createHttpClient(peers.second.httpUrl).get(address, {
      query,
      bearer: peers.rig.tokenOf('Administrators'),
    });
    expect([answer.status, answer.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'validation_failed', errors: [{ field, message }] }),
    ]);
  });

  it('shows those of all peers with their place and activity', async () => {
    await using uploading = await connectRawSftp({ port: peers.first.sftpPort, user: 'globex' });
    await using _idle = await connectRawSftp({ port: peers.second.sftpPort, user: 'acme' });
    await beginUpload(uploading, '/data/live', Buffer.alloc(5_000));
    const sessions = await waitFor(
      async () => {
        const listed = await list();
        return listed.sessions.some(({ bytesReceived }) => bytesReceived === 5_000) ? listed.sessions : undefined;
      },
      { what: 'the bytes to be shown' },
    );
    expect(sessions).toEqual([
      {
        clusterName: 'cluster1',
        peerName: 'peer1',
        serverName: 'sftp-server',
        sessionId: expect.stringMatching(/^[0-9A-F]{128}$/u),
        userName: 'globex',
        clientIp: expect.stringMatching(/^\/127\.0\.0\.1:\d+$/u),
        clientPort: expect.stringMatching(/^\d+$/u),
        clientVersion: expect.stringMatching(/^SSH-2\.0-ssh2js/u),
        openedAt: expect.stringMatching(/^20.*Z$/u),
        file: '/data/live',
        direction: 'upload',
        bytesReceived: 5_000,
        bytesSent: 0,
        bytesPerSecond: expect.any(Number),
      },
      expect.objectContaining({ peerName: 'peer2', userName: 'acme', file: null, direction: null, bytesReceived: 0 }),
    ]);
    expect(await list({ peerName: 'peer2' })).toMatchObject({ totalCount: 1, sessions: [{ userName: 'acme' }] });
    expect(await list({ userName: 'globex', clusterName: 'cluster1' })).toMatchObject({ totalCount: 1 });
    expect(await list({ actor: 'globex' })).toMatchObject({ totalCount: 1, sessions: [{ userName: 'globex' }] });
    for (const query of [{ actor: 'unknown' }, { actor: 'acme', userName: 'globex' }])
      expect(await list(query)).toEqual({ totalCount: 0, sessions: [] });
    expect(await list({ maxItem: '1' })).toMatchObject({ totalCount: 2, sessions: [{ userName: 'globex' }] });
    expect(await list({ serverName: 'elsewhere' })).toEqual({ totalCount: 0, sessions: [] });
  });
});

describe('the events of sessions', () => {
  it('begin with all sessions, and report through any gateway what opens, changes and ends on any other', async () => {
    await using before = await connectRawSftp({ port: peers.first.sftpPort, user: 'acme' });
    await using follower = await followEvents(peers.second.httpUrl, peers.rig.tokenOf('Users'));
    expect(await follower.find('snapshot')).toMatchObject({ sessions: [{ userName: 'acme', peerName: 'peer1' }] });
    const client = await connectRawSftp({ port: peers.first.sftpPort, user: 'globex' });
    const { sessionId } = await follower.find('opened');
    const began = performance.now();
    for (let index = 0; index < 20; index += 1) {
      await beginUpload(client, `/data/file${index}`, Buffer.alloc(1_000));
      // The changes are to extend over more than one report.
      await delay(50);
    }
    const changed = await follower.find('changed', ({ bytesReceived }) => bytesReceived === 20_000);
    expect(changed).toMatchObject({ sessionId, userName: 'globex', file: '/data/file19', direction: 'upload' });
    const seconds = Math.ceil((performance.now() - began) / 1_000);
    const changes = follower.received.filter(({ event }) => event === 'changed');
    expect(changes.length).toBeLessThanOrEqual(seconds + 2);
    await client[Symbol.asyncDispose]();
    expect(await follower.find('ended')).toEqual({ sessionId });
    expect(before.unread).toEqual([]);
  });

  it('end when the token expires', async () => {
    await using lasting = await followEvents(peers.first.httpUrl, peers.rig.tokenOf('Users'));
    const token = peers.rig.tokenOf('Users', 2);
    const began = performance.now();
    await using follower = await followEvents(peers.first.httpUrl, token);
    await follower.ended;
    // The time in a token is in whole seconds.
    expect(performance.now() - began).toBeGreaterThan(500);
    expect(lasting.hasEnded()).toBe(false);
  });

  it('start again after an outage of Redis', async () => {
    await using follower = await followEvents(peers.second.httpUrl, peers.rig.tokenOf('Users'));
    await follower.find('snapshot');
    await peers.rig.redis.kill();
    await peers.rig.redis.restart();
    await waitFor(() => follower.received.filter(({ event }) => event === 'snapshot').length > 1, {
      what: 'a new snapshot',
    });
    await using _client = await connectRawSftp({ port: peers.first.sftpPort, user: 'globex' });
    expect(await follower.find('opened')).toMatchObject({ userName: 'globex' });
  });

  it('do not keep a gateway from stopping', async () => {
    const third = await peers.rig.start('peer3', { SHUTDOWN_TIMEOUT_SECONDS: '3600' });
    await using follower = await followEvents(third.httpUrl, peers.rig.tokenOf('Users'));
    await follower.find('snapshot');
    await third[Symbol.asyncDispose]();
    await expect(follower.ended).resolves.toBeUndefined();
  });

  it('end soon after their user has lost the role, and send no later change', async () => {
    const { query } = peers.rig.database;
    await using lasting = await followEvents(peers.first.httpUrl, peers.rig.tokenOf('Operators'));
    await using follower = await followEvents(peers.first.httpUrl, peers.rig.tokenOf('Users'));
    await follower.find('snapshot');
    const giveRole = (role: string) =>
      query(`UPDATE directory.manager_users SET roles = '{"${role}"}' WHERE name = 'viewer'`);
    await giveRole('Auditors');
    try {
      await waitFor(() => follower.hasEnded(), { what: 'the stream to end', timeoutMs: 4_000 });
    } finally {
      await giveRole('Users');
    }
    await using _client = await connectRawSftp({ port: peers.first.sftpPort, user: 'globex' });
    await lasting.find('opened');
    expect(follower.received.map(({ event }) => event)).toEqual(['snapshot']);
  });

  it('are limited for each user, so that nobody takes the places of all', async () => {
    const bearer = peers.rig.tokenOf('Auditors');
    await peers.rig.database.query(`UPDATE directory.manager_users SET roles = '{Users}' WHERE name = 'auditor'`);
    const open = await Promise.all(Array.from({ length: 50 }, () => followEvents(peers.second.httpUrl, bearer)));
    const refused = await createHttpClient(peers.second.httpUrl).get(`${path}/events`, { bearer });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
    await using _administrator = await followEvents(peers.second.httpUrl, peers.rig.tokenOf('Administrators'));
    for (const follower of open) await follower[Symbol.asyncDispose]();
  });

  it('require the permission to view sessions', async () => {
    expect((await createHttpClient(peers.first.httpUrl).get(`${path}/events`)).status).toBe(401);
    const stranger = createTokenIssuer({
      keys: onlyKey(createSigningKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)),
      issuer: 'waybill',
      audience: 'waybill',
    });
    const bearer = stranger.issue({ userName: userNameSchema.parse('mallory'), roles: ['Administrators'] });
    expect((await createHttpClient(peers.first.httpUrl).get(path, { bearer })).status).toBe(401);
  });
});
