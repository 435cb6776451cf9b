import { randomUUID } from 'node:crypto';
import { httpSessionKey } from '@waybill/contracts/messages/session-termination';
import { connectRedis } from '@waybill/redis/connect-redis';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { twoGateways } from './test-gateways.ts';

const peers = twoGateways();
const address = '/platform-application/api/v1/infrastructure/clusters/http-sessions';
const client = (gateway = peers.second) => createHttpClient(gateway.httpUrl);
const openRedis = () => {
  const redis = connectRedis({
    url: peers.rig.redis.url,
    name: 'test',
    logger: createLogger({ service: 'test', level: 'silent' }),
  });
  return Object.assign(redis, { [Symbol.dispose]: () => redis.disconnect() });
};

/** What http-files stores of a login: a row, and a key in Redis while the session is valid. */
async function logIn(userName: string, options: { isValid?: boolean; peerName?: string; client?: string } = {}) {
  const {
    isValid = true,
    peerName = 'peer1',
    client: seen = '{"address":"192.0.2.7","client":"curl/8.5.0"}',
  } = options;
  const [id, handle] = [randomUUID(), randomUUID()];
  await peers.rig.database.query(
    `INSERT INTO http_files.login_sessions (id, user_name, handle, generation, peer_name, server_name, client)
     VALUES ('${id}', '${userName}', '${handle}', 'g', '${peerName}', 'http-server', '${seen}')`,
  );
  using redis = openRedis();
  if (isValid) await redis.set(httpSessionKey(handle), JSON.stringify({ id, userName }), 'EX', 100);
  return { id, isOpen: async () => (await rows(id)) === 1 && isStored(handle) };
}

const rows = async (id: string) =>
  (await peers.rig.database.query(`SELECT FROM http_files.login_sessions WHERE id = '${id}'`)).length;

async function isStored(handle: string): Promise<boolean> {
  using redis = openRedis();
  return (await redis.exists(httpSessionKey(handle))) === 1;
}

interface Listed {
  readonly totalCount: number;
  readonly sessions: readonly { readonly sessionId: string; readonly userName: string }[];
}

describe('sessions over HTTP, for operators', () => {
  // As http-files creates it; tests/end-to-end/own-account.test.ts has the real one.
  beforeAll(() =>
    peers.rig.database.query(`
      CREATE SCHEMA http_files;
      CREATE TABLE http_files.login_sessions (id uuid PRIMARY KEY, user_name text NOT NULL, handle text NOT NULL,
        generation text NOT NULL, peer_name text NOT NULL, server_name text NOT NULL,
        opened_at timestamptz NOT NULL DEFAULT clock_timestamp(), client jsonb);
      GRANT USAGE ON SCHEMA http_files TO PUBLIC;
      GRANT SELECT (id, user_name, handle, peer_name, server_name, opened_at, client), DELETE
        ON http_files.login_sessions TO PUBLIC`),
  );
  afterEach(() => peers.rig.database.query('DELETE FROM http_files.login_sessions'));

  const list = async (query: Record<string, string> = {}, bearer = peers.rig.tokenOf('Users')) => {
    const answer = await client().get(address, { query, bearer });
    expect(answer.status).toBe(200);
    return answer.json() as Listed;
  };
  const idsOf = ({ sessions }: Listed) => sessions.map(({ sessionId }) => sessionId);
  const end = (id: string, bearer = peers.rig.tokenOf('Operators')) =>
    client().delete(`${address}/${encodeURIComponent(id)}`, { bearer });

  it('are listed, the oldest first, with filters; those that have run out are not', async () => {
    const [one, gone, two] = [
      await logIn('acme'),
      await logIn('acme', { isValid: false }),
      await logIn('globex', { peerName: 'peer2', client: 'null' }),
    ];
    const all = await list();
    expect(all).toEqual({
      totalCount: 2,
      sessions: [
        {
          sessionId: one.id,
          userName: 'acme',
          peerName: 'peer1',
          serverName: 'http-server',
          address: '192.0.2.7',
          client: 'curl/8.5.0',
          openedAt: expect.stringMatching(/^20.*Z$/u),
        },
        expect.objectContaining({ sessionId: two.id, userName: 'globex', address: null, client: null }),
      ],
    });
    expect(JSON.stringify(all)).not.toContain('handle');
    expect(await rows(gone.id)).toBe(1);
    for (const query of [{ userName: 'globex' }, { actor: 'globex' }, { peerName: 'peer2' }])
      expect(idsOf(await list(query))).toEqual([two.id]);
    for (const query of [{ actor: 'unknown' }, { actor: "' OR true --" }, { userName: 'globex', actor: 'acme' }])
      expect(await list(query)).toEqual({ totalCount: 0, sessions: [] });
    expect(await list({ serverName: 'http-server', maxItem: '1' })).toMatchObject({
      totalCount: 3,
      sessions: [{ sessionId: one.id }],
    });
    for (const query of [{ maxItem: '0' }, { maxItem: 'many' }, { nonsense: '1' }, { actor: '\u0000' }])
      expect((await client().get(address, { query, bearer: peers.rig.tokenOf('Users') })).status).toBe(400);
    expect((await client().get(address)).status).toBe(401);
  });

  it('are ended once, on all peers, and audited with the operator and the user', async () => {
    const [ended, kept] = [await logIn('acme'), await logIn('acme')];
    expect((await end(ended.id, peers.rig.tokenOf('Users'))).status).toBe(403);
    expect(await ended.isOpen()).toBe(true);
    const answers = await Promise.all([end(ended.id), end(ended.id), end(ended.id)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400]);
    expect(answers.find(({ status }) => status === 200)?.json()).toMatchObject({
      sessionId: ended.id,
      userName: 'acme',
    });
    expect([await ended.isOpen(), await kept.isOpen()]).toEqual([false, true]);
    expect(idsOf(await list())).toEqual([kept.id]);
    const records = (await peers.rig.audited()).filter(({ auditCode }) => auditCode === 'AUD0033A');
    expect(records).toMatchObject([
      {
        auditOperation: 'SERVER_LOGOUT',
        entityType: 'HTTP Server',
        context: { address: '127.0.0.1', session: ended.id },
      },
    ]);
    expect(records[0]?.auditMessage).toMatch(/^User operator has ended session \S+ of user acme$/u);
  });

  it('are left alone if they are unknown, have run out, or are no ids', async () => {
    const gone = await logIn('acme', { isValid: false });
    for (const id of [gone.id, randomUUID()])
      expect((await end(id)).json()).toMatchObject({ code: 'session_unknown', status: 400 });
    expect(await rows(gone.id)).toBe(1);
    for (const id of ['x', "' OR true --", '*', 'A'.repeat(128)]) expect((await end(id)).status).toBe(400);
  });

  it('are those of its users for a role that is limited to an actor, which knows of no others', async () => {
    const [theirs, mine] = [await logIn('acme'), await logIn('globex')];
    const bearer = await peers.rig.limitedToken('globex');
    expect(await list({}, bearer)).toMatchObject({ totalCount: 1, sessions: [{ sessionId: mine.id }] });
    for (const query of [{ userName: 'acme' }, { actor: 'acme' }])
      expect(await list(query, bearer)).toEqual({ totalCount: 0, sessions: [] });
    expect((await end(theirs.id, bearer)).json()).toMatchObject({ code: 'session_unknown' });
    expect(await theirs.isOpen()).toBe(true);
    expect((await end(mine.id, bearer)).status).toBe(200);
    expect(await mine.isOpen()).toBe(false);
  });

  it('of a user end with the freeze, on all peers, each with a record, and what is noted late is not listed', async () => {
    const [one, two] = [await logIn('acme'), await logIn('acme', { peerName: 'peer2' })];
    const [gone, other] = [await logIn('acme', { isValid: false }), await logIn('globex')];
    const freeze = '/platform-application/api/v1/infrastructure/users/acme/freeze';
    const bearer = peers.rig.tokenOf('Operators');
    const before = (await peers.rig.audited()).length;
    expect((await client(peers.first).request('PUT', freeze, { bearer })).status).toBe(200);
    expect([await one.isOpen(), await two.isOpen(), await other.isOpen()]).toEqual([false, false, true]);
    expect([await rows(one.id), await rows(two.id)]).toEqual([0, 0]);
    for (const gateway of [peers.first, peers.second])
      expect((await client(gateway).get(address, { query: {}, bearer })).json()).toMatchObject({
        totalCount: 1,
        sessions: [{ sessionId: other.id }],
      });
    // http-files audits why this one has ended.
    expect(await rows(gone.id)).toBe(1);
    const ended = (await peers.rig.audited()).slice(before).filter(({ auditCode }) => auditCode === 'AUD0033A');
    const reason = 'An administrator has frozen user acme';
    expect(ended).toMatchObject(
      [one, two].map(({ id }) => ({ context: { session: id, reason, address: '127.0.0.1' } })),
    );
    // A login that began before the freeze.
    await logIn('acme');
    expect(await list()).toMatchObject({ totalCount: 1, sessions: [{ sessionId: other.id }] });
    expect((await client().request('PUT', freeze, { bearer })).status).toBe(200);
    expect((await client().delete(freeze, { bearer })).status).toBe(200);
    expect(idsOf(await list())).toEqual([other.id]);
  });
});
