import { listLoginBansEndpoint } from '@waybill/contracts/endpoints/login-bans/list-login-bans';
import { findUserFreezeEndpoint } from '@waybill/contracts/endpoints/users/find-user-freeze';
import { freezeUserEndpoint } from '@waybill/contracts/endpoints/users/freeze-user';
import { thawUserEndpoint } from '@waybill/contracts/endpoints/users/thaw-user';
import { commonRefusals } from '@waybill/http-kit/routing/common-refusals';
import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { runSftp } from '@waybill/test-kit/run-sftp';
import { describe, expect, it } from 'vitest';
import { beginUpload } from './begin-upload.ts';
import type { RunningGateway } from './gateway-rig.ts';
import { connectRawSftp } from './raw-sftp-client.ts';
import { twoGateways } from './test-gateways.ts';

const peers = twoGateways({ rig: { users: [{ name: 'm\u00fcller', password: 'm\u00fcller-demo' }] } });

async function ask(method: 'GET' | 'PUT' | 'DELETE', userName: string, query = '') {
  const path = `/platform-application/api/v1/infrastructure/users/${encodeURIComponent(userName)}/freeze${query}`;
  const answer = await createHttpClient(peers.second.httpUrl).request(method, path, {
    bearer: peers.rig.tokenOf('Administrators'),
  });
  return { status: answer.status, body: answer.json() };
}

async function bansOf(name: string): Promise<{ userName: string | null }[]> {
  const path = '/platform-application/api/v1/infrastructure/login-bans';
  const answer = await createHttpClient(peers.second.httpUrl).request('GET', path, {
    bearer: peers.rig.tokenOf('Administrators'),
  });
  return listLoginBansEndpoint.responses[200].body.schema
    .parse(answer.json())
    .bans.filter(({ userName }) => userName === name);
}

const login = (gateway: RunningGateway, user: string) =>
  runSftp({ port: gateway.sftpPort, user, password: `${user}-demo`, commands: ['pwd'] });

describe('a frozen user', () => {
  it('loses open sessions on every gateway within a second, busy or idle, and others do not', async () => {
    const busy = await connectRawSftp({ port: peers.first.sftpPort, user: 'globex' });
    const idle = await connectRawSftp({ port: peers.second.sftpPort, user: 'globex' });
    await using other = await connectRawSftp({ port: peers.first.sftpPort, user: 'acme' });
    await beginUpload(busy, '/data/frozen', Buffer.alloc(300_000));
    expect(await ask('GET', 'globex')).toMatchObject({ body: { frozen: false } });
    const { status, body } = await ask('PUT', 'globex');
    // That a second is enough, however loaded the machine is, is shown by `session-registry.test.ts` and, for the sessions that
    // the freeze itself cannot reach, by `packages/directory/tests/withdrawal-times.test.ts`.
    await Promise.all([busy.closed, idle.closed]);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        userName: 'globex',
        frozen: true,
        frozenAt: expect.stringMatching(/^20.*Z$/u),
        frozenBy: 'admin',
        reason: null,
      },
    });
    expect(await other.ask({ type: 'realpath', id: 1, path: Buffer.from('.') })).toMatchObject({ type: 'name' });
  });

  it('cannot log in on any gateway, even after a restart, and can immediately after the thaw', async () => {
    for (const gateway of [peers.first, peers.second]) expect((await login(gateway, 'globex')).exitCode).toBe(255);
    const third = await peers.rig.start('peer3');
    expect((await login(third, 'globex')).exitCode).toBe(255);
    await third[Symbol.asyncDispose]();
    expect(await login(peers.first, 'acme')).toMatchObject({ exitCode: 0 });
    expect(await ask('GET', 'globex')).toMatchObject({ status: 200, body: { frozen: true, frozenBy: 'admin' } });
    const thawed = { userName: 'globex', frozen: false, frozenAt: null, frozenBy: null, reason: null };
    expect(await ask('DELETE', 'globex')).toEqual({ status: 200, body: thawed });
    expect(await ask('GET', 'globex')).toEqual({ status: 200, body: thawed });
    expect(await login(peers.second, 'globex')).toMatchObject({ exitCode: 0 });
  });

  it('is listed with the actor, the time and who has frozen it, to those who may see this actor', async () => {
    const list = async (query = '', role: 'Administrators' | 'Users' = 'Administrators') => {
      const path = `/platform-application/api/v1/infrastructure/user-freezes${query}`;
      const answer = await createHttpClient(peers.first.httpUrl).get(path, { bearer: peers.rig.tokenOf(role) });
      return { status: answer.status, body: answer.json() };
    };
    expect((await list()).body).toEqual({ totalCount: 0, freezes: [] });
    for (const user of ['acme', 'globex']) await ask('PUT', user);
    const globex = {
      userName: 'globex',
      actor: 'globex',
      frozenAt: expect.stringMatching(/^20.*Z$/u),
      frozenBy: 'admin',
      reason: null,
    };
    expect((await list()).body).toEqual({
      totalCount: 2,
      freezes: [globex, expect.objectContaining({ userName: 'acme' })],
    });
    expect((await list('?maxItem=1')).body).toEqual({ totalCount: 2, freezes: [globex] });
    expect((await list('?actor=globex')).body).toEqual({ totalCount: 1, freezes: [globex] });
    expect((await list('?actor=nobody')).body).toEqual({ totalCount: 0, freezes: [] });
    expect((await list('', 'Users')).status).toBe(403);
    for (const user of ['acme', 'globex']) await ask('DELETE', user);
    expect((await list()).body).toEqual({ totalCount: 0, freezes: [] });
  });

  it('that kept trying and was banned for that can log in after the thaw', async () => {
    await ask('PUT', 'globex');
    for (let tried = 0; tried < 10 && (await bansOf('globex')).length === 0; tried += 1)
      await login(peers.first, 'globex');
    expect(await bansOf('globex')).toMatchObject([{ door: 'sftp' }]);
    await ask('DELETE', 'globex');
    expect(await bansOf('globex')).toEqual([]);
    const records = (await peers.rig.audited()).map(({ auditMessage }) => auditMessage);
    expect(records.filter((text) => /^User admin has lifted the ban of .*globex/u.test(text))).toHaveLength(1);
    expect(await login(peers.first, 'globex')).toMatchObject({ exitCode: 0 });
  });

  it('resumes its upload after the thaw', async () => {
    await using client = await connectRawSftp({ port: peers.first.sftpPort, user: 'globex' });
    const answer = await client.ask({ type: 'stat', id: 1, path: Buffer.from('/data/frozen') });
    expect(answer).toMatchObject({ type: 'attrs', attributes: { size: 300_000 } });
  });

  it('is frozen once and thawed once, audited with the actor', async () => {
    await ask('PUT', 'initech');
    await ask('PUT', 'initech');
    await ask('DELETE', 'initech');
    expect((await ask('DELETE', 'initech')).status).toBe(200);
    const facts = (await peers.rig.audited()).filter(({ auditMessage }) => auditMessage.endsWith('initech'));
    expect(facts.map(({ auditMessage }) => auditMessage)).toEqual([
      'User admin has frozen user initech',
      'User admin has thawed user initech',
    ]);
  });

  it('has the reason of the freeze, in the list and the audit log, and keeps the first one', async () => {
    const reason = 'Ticket 4711: <b>password</b> published; \u05d0\u05d1';
    await ask('PUT', 'initech', `?reason=${encodeURIComponent(`  ${reason}  `)}`);
    await ask('PUT', 'initech', '?reason=another');
    expect((await ask('GET', 'initech')).body).toMatchObject({ frozen: true, reason });
    const list = await createHttpClient(peers.second.httpUrl).get(
      '/platform-application/api/v1/infrastructure/user-freezes',
      { bearer: peers.rig.tokenOf('Administrators') },
    );
    expect(list.json()).toMatchObject({ freezes: [{ userName: 'initech', reason }] });
    for (const wrong of [
      '?reason=',
      '?reason=%20',
      `?reason=${'x'.repeat(501)}`,
      '?reason=a%00b',
      '?reason=%1b[31mx',
      '?reason=a%0Ab',
      '?why=x',
    ])
      expect((await ask('PUT', 'initech', wrong)).status, wrong).toBe(400);
    await ask('DELETE', 'initech');
    const records = (await peers.rig.audited()).filter(({ auditMessage }) =>
      auditMessage.includes('frozen user initech:'),
    );
    expect(records.map(({ auditMessage }) => auditMessage)).toEqual([`User admin has frozen user initech: ${reason}`]);
  });

  it('is the same in every Unicode form of the name, for the freeze, the login and the thaw', async () => {
    const [name, decomposed] = ['m\u00fcller', 'mu\u0308ller'];
    await using session = await connectRawSftp({ port: peers.first.sftpPort, user: name });
    const frozen = { status: 200, body: { userName: name, frozen: true, frozenBy: 'admin' } };
    expect(await ask('PUT', decomposed)).toMatchObject(frozen);
    await session.closed;
    expect(await ask('GET', name)).toMatchObject(frozen);
    expect(await ask('GET', decomposed)).toMatchObject(frozen);
    for (const user of [name, decomposed]) {
      const login = { port: peers.second.sftpPort, user, password: `${name}-demo`, commands: ['pwd'] };
      expect((await runSftp(login)).exitCode).toBe(255);
    }
    expect(await ask('DELETE', decomposed)).toMatchObject({ status: 200, body: { userName: name, frozen: false } });
    await using again = await connectRawSftp({ port: peers.second.sftpPort, user: decomposed });
    expect(await again.ask({ type: 'realpath', id: 1, path: Buffer.from('.') })).toMatchObject({ type: 'name' });
    const listed = await createHttpClient(peers.first.httpUrl).request(
      'GET',
      `/platform-application/api/v1/infrastructure/clusters/server-sessions?userName=${encodeURIComponent(decomposed)}`,
      { bearer: peers.rig.tokenOf('Administrators') },
    );
    expect(listed.json()).toMatchObject({ totalCount: 1, sessions: [{ userName: name }] });
  });

  it.each(['mu\u0308ler', 'M\u00fcller'])('that does not exist, as %s, is named in the error', async (userName) => {
    const detail = `There is no user '${userName.normalize('NFC')}'`;
    expect(await ask('PUT', userName)).toMatchObject({ status: 404, body: { code: 'user_unknown', detail } });
  });

  it.each(['a\u0000b', 'a'.repeat(256), '\u0345'.repeat(2_000)])('cannot have the name %j', async (userName) => {
    expect(await ask('PUT', userName)).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
  });

  it('must be a user', async () => {
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      expect(await ask(method, 'nobody')).toMatchObject({ status: 404, body: { code: 'user_unknown' } });
    }
  });
});

describe('a wrong request', () => {
  const cases = commonRefusals({
    routes: [findUserFreezeEndpoint, freezeUserEndpoint, thawUserEndpoint].map((endpoint) => ({
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
});
