import { queryServerSessionsEndpoint } from '@waybill/contracts/endpoints/server-sessions/query-server-sessions';
import { terminateServerSessionEndpoint } from '@waybill/contracts/endpoints/server-sessions/terminate-server-session';
import { commonRefusals } from '@waybill/http-kit/routing/common-refusals';
import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { openSftpSession, type SftpSession } from '@waybill/test-kit/open-sftp-session';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterEach, describe, expect, it } from 'vitest';
import type { RunningGateway } from './gateway-rig.ts';
import { twoGateways } from './test-gateways.ts';

const area = '/platform-application/api/v1/infrastructure/clusters/server-sessions';
const server = { clusterName: 'cluster1', peerName: 'peer1', protocol: 'SFTP', serverName: 'sftp-server' };

interface ShownSession {
  sessionId: string;
  userName: string;
  clientIp: string;
  clientPort: string;
  clientVersion: string;
}

const peers = twoGateways();
const open: SftpSession[] = [];

afterEach(async () => {
  for (const session of open.splice(0)) session.kill();
  await waitFor(async () => (await query()).length === 0, { what: 'the sessions to be gone' });
});

async function logIn(user: string): Promise<SftpSession> {
  const session = openSftpSession({ port: peers.first.sftpPort, user, password: `${user}-demo` });
  open.push(session);
  session.send('pwd');
  await waitFor(() => session.stdout().includes('Remote working directory'), { what: 'the login' });
  return session;
}

async function ask(gateway: RunningGateway, method: 'POST' | 'DELETE', json: unknown, bearer?: string) {
  const path = method === 'POST' ? `${area}/query` : area;
  const response = await createHttpClient(gateway.httpUrl).request(method, path, {
    json,
    bearer: bearer ?? peers.rig.tokenOf('Administrators'),
  });
  return { status: response.status, body: response.json() };
}

async function query(gateway = peers.second, more: object = {}): Promise<ShownSession[]> {
  const { status, body } = await ask(gateway, 'POST', { ...server, ...more });
  expect(status).toBe(200);
  return body as ShownSession[];
}

describe('open sessions', () => {
  it('are shown by any gateway, with the fields and forms of the interface', async () => {
    await logIn('globex');
    for (const gateway of [peers.first, peers.second]) {
      const sessions = await query(gateway);
      expect(sessions).toEqual([
        {
          sessionId: expect.stringMatching(/^[0-9A-F]{128}$/u),
          userName: 'globex',
          clientIp: expect.stringMatching(/^\/127\.0\.0\.1:\d+$/u),
          clientPort: expect.stringMatching(/^\d+$/u),
          clientVersion: expect.stringMatching(/^SSH-2\.0-OpenSSH/u),
        },
      ]);
      expect(sessions[0]?.clientIp).toBe(`/127.0.0.1:${sessions[0]?.clientPort}`);
    }
  });

  it('are sorted by the time they opened, in either direction and any case, and cut to maxItem', async () => {
    await logIn('globex');
    await logIn('acme');
    await logIn('globex');
    const names = async (more: object) => (await query(peers.second, more)).map(({ userName }) => userName);
    expect(await names({})).toEqual(['globex', 'acme', 'globex']);
    const ids = (await query()).map(({ sessionId }) => sessionId);
    const reversed = (await query(peers.second, { sort: 'desc' })).map(({ sessionId }) => sessionId);
    expect(reversed).toEqual(ids.toReversed());
    expect(await names({ sort: 'asc', maxItem: 2 })).toEqual(['globex', 'acme']);
    expect(await query(peers.first, { peerName: 'peer2' })).toEqual([]);
  });

  it('are at most a hundred, oldest first, by default', () => {
    const { body } = queryServerSessionsEndpoint;
    expect(body.schema.parse(server)).toEqual({ ...server, maxItem: 100, sort: 'ASC' });
  });

  it('disappear when the client disconnects, and are restored in an emptied Redis', async () => {
    const session = await logIn('globex');
    await peers.rig.redis.flush();
    await waitFor(async () => (await query()).length === 1, { what: 'the session to be listed again' });
    await session.close();
    expect(await waitFor(async () => (await query()).length === 0, { what: 'the session to be gone' })).toBe(true);
  });
});

describe('terminating a session', () => {
  it('through the other gateway disconnects the client within a second, audited with the actor', async () => {
    const session = await logIn('globex');
    const [shown] = await query();
    // One that took longer than a second would be answered with an error: see `session-registry.test.ts`.
    const answer = await ask(peers.second, 'DELETE', { ...server, sessionId: shown?.sessionId });
    expect(answer).toEqual({ status: 200, body: shown });
    // The client notices at its next request.
    session.send('ls');
    expect((await session.exited).exitCode).not.toBe(0);
    expect(session.stderr()).toMatch(/closed|disconnect/iu);
    expect(await query()).toEqual([]);
    const auditMessage = `User admin has ended session ${shown?.sessionId} of user globex`;
    // The administrator's address and client, not those of the gateway that held the session.
    const context = expect.objectContaining({ address: '127.0.0.1', client: 'node' });
    const record = { auditMessage, dataoneUser: 'admin', context };
    expect(await peers.rig.audited()).toContainEqual(expect.objectContaining(record));
  });

  it('a second time is refused with the session named', async () => {
    await logIn('globex');
    const [shown] = await query();
    await ask(peers.first, 'DELETE', { ...server, sessionId: shown?.sessionId });
    const answer = await ask(peers.second, 'DELETE', { ...server, sessionId: shown?.sessionId });
    expect(answer).toMatchObject({ status: 400, body: { code: 'session_unknown' } });
    expect((answer.body as { detail: string }).detail).toContain(shown?.sessionId);
  });

  it('needs more than the permission to view sessions', async () => {
    const { status } = await ask(peers.first, 'DELETE', { ...server, sessionId: 'A' }, peers.rig.tokenOf('Users'));
    expect(status).toBe(403);
    expect((await ask(peers.first, 'POST', server, peers.rig.tokenOf('Users'))).status).toBe(200);
  });
});

describe('a role that is limited to an actor', () => {
  const list = async (parameters: Record<string, string> = {}) => {
    const bearer = await peers.rig.limitedToken('acme');
    const answer = await createHttpClient(peers.second.httpUrl).get(area, { query: parameters, bearer });
    expect(answer.status).toBe(200);
    return answer.json() as { totalCount: number; sessions: ShownSession[] };
  };

  it('sees the sessions of its users, and ends them; those of others do not exist for it', async () => {
    const bearer = await peers.rig.limitedToken('acme');
    const foreign = await logIn('globex');
    await logIn('acme');
    const others = (await query()).filter(({ userName }) => userName === 'globex');
    expect(others).toHaveLength(1);
    expect((await list()).sessions.map(({ userName }) => userName)).toEqual(['acme']);
    expect((await list()).totalCount).toBe(1);
    for (const parameters of [{ userName: 'globex' }, { actor: 'globex' }, { actor: 'globex', userName: 'acme' }])
      expect(await list(parameters)).toEqual({ totalCount: 0, sessions: [] });
    expect((await list({ actor: 'acme' })).totalCount).toBe(1);
    const queried = await ask(peers.second, 'POST', { ...server, maxItem: 1 }, bearer);
    expect((queried.body as ShownSession[]).map(({ userName }) => userName)).toEqual(['acme']);

    const end = (sessionId: string | undefined) => ask(peers.second, 'DELETE', { ...server, sessionId }, bearer);
    const [known, unknown] = [await end(others[0]?.sessionId), await end('A'.repeat(128))];
    expect(known).toMatchObject({ status: 400, body: { code: 'session_unknown' } });
    expect((known.body as { detail: string }).detail.replace(/'.*'/u, '')).toBe(
      (unknown.body as { detail: string }).detail.replace(/'.*'/u, ''),
    );
    foreign.send('pwd');
    expect((await query()).map(({ userName }) => userName).toSorted()).toEqual(['acme', 'globex']);
    expect((await end((queried.body as ShownSession[])[0]?.sessionId)).status).toBe(200);
    expect((await query()).map(({ userName }) => userName)).toEqual(['globex']);
  });

  it('cannot follow the sessions: the events are those of all users', async () => {
    const bearer = await peers.rig.limitedToken('acme');
    const answer = await createHttpClient(peers.second.httpUrl).get(`${area}/events`, { bearer });
    expect(answer.status).toBe(403);
  });
});

describe('a wrong request', () => {
  const cases = commonRefusals({
    routes: [queryServerSessionsEndpoint, terminateServerSessionEndpoint].map((endpoint) => ({
      endpoint,
      path: endpoint.path,
    })),
    baseUrl: () => peers.first.httpUrl,
    permitted: async () => ({ authorization: `Bearer ${peers.rig.tokenOf('Administrators')}` }),
    withRole: async (role) => ({ authorization: `Bearer ${peers.rig.tokenOf(role)}` }),
  });
  it.each(cases)('$title', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });

  it.each([
    ['cluster', { clusterName: 'nowhere' }, 'cluster_unknown', "'nowhere'"],
    ['peer', { peerName: 'peer9' }, 'peer_unknown', "'peer9'"],
    ['server', { serverName: 'ftp-server' }, 'server_unknown', "'ftp-server'"],
    ['server of another protocol', { serverName: 'http-server' }, 'server_unknown', "'http-server'"],
  ])('of an unknown %s is a 400 that names it, in both endpoints', async (_name, change, code, named) => {
    for (const method of ['POST', 'DELETE'] as const) {
      const { status, body } = await ask(peers.first, method, { ...server, ...change, sessionId: 'A' });
      expect({ status, body }).toMatchObject({ status: 400, body: { code } });
      expect((body as { detail: string }).detail).toContain(named);
    }
  });

  it('with a token that has expired is a 401, in both endpoints', async () => {
    const expired = peers.rig.tokenOf('Administrators', -120);
    for (const method of ['POST', 'DELETE'] as const) {
      const { status, body } = await ask(peers.first, method, { ...server, sessionId: 'A' }, expired);
      expect({ status, body }).toMatchObject({ status: 401, body: { code: 'not_authenticated' } });
    }
  });

  it('names each missing or wrong field', async () => {
    const fieldsOf = async (method: 'POST' | 'DELETE', json: unknown) => {
      const { status, body } = await ask(peers.first, method, json);
      expect(status).toBe(400);
      return (body as { errors: { field: string }[] }).errors.map(({ field }) => field);
    };
    const names = ['clusterName', 'peerName', 'protocol', 'serverName'];
    expect(await fieldsOf('POST', {})).toEqual(names);
    expect(await fieldsOf('DELETE', {})).toEqual([...names, 'sessionId']);
    for (const protocol of ['sftp', 'HTTP'])
      expect(await fieldsOf('POST', { ...server, protocol })).toEqual(['protocol']);
    expect(await fieldsOf('POST', { ...server, protocol: 'FTP', sort: 'up', maxItem: 0 })).toEqual([
      'protocol',
      'maxItem',
      'sort',
    ]);
  });
});
