import { generateKeyPairSync } from 'node:crypto';
import { createSigningKey, tokenKeyStore } from '@waybill/access/signing-key';
import { createTokenIssuer, type TokenIssuer } from '@waybill/access/token-issuer';
import { problemSchema } from '@waybill/contracts/errors/problem';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { onlyKey } from '@waybill/signing-keys/key-set';
import { loadKeySet } from '@waybill/signing-keys/load-key-set';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestJobManager, type TestJobManager } from './start-test-job-manager.ts';
import { startTestPlatform, type TestPlatform } from './start-test-platform.ts';
import { expectRefusedPages, walkList } from './walk-list.ts';
import { platformAccess, runWaybill } from './waybill-command.ts';

const api = '/platform-application/api/v1/auth';

interface Session {
  readonly id: number;
  readonly user: string;
  readonly address: string;
  readonly current: boolean;
  readonly renewedAt: string | null;
}

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

let platform: TestPlatform;
let manager: TestJobManager;

beforeAll(async () => {
  platform = await startTestPlatform();
  manager = await startTestJobManager(platform);
});
afterAll(async () => {
  await manager?.[Symbol.asyncDispose]();
  await platform?.[Symbol.asyncDispose]();
});

const post = (path: string, json: object) => manager.client.post(`${api}/${path}`, { json });
const logIn = async (username: string): Promise<Tokens> =>
  (await post('login', { username, password: `${username}-demo` })).json() as Tokens;
const sessions = async (bearer: string): Promise<readonly Session[]> =>
  ((await manager.client.get(`${api}/sessions`, { bearer })).json() as { items: Session[] }).items;
const revoke = (id: number, bearer: string) => manager.client.request('DELETE', `${api}/sessions/${id}`, { bearer });
const statusWith = async (bearer: string): Promise<number> =>
  (await manager.client.get('/job-manager/jobs', { bearer })).status;

describe('the sessions of the management interface', () => {
  it('are listed for oneself, and for others with identities:read', async () => {
    const { accessToken } = await logIn('viewer');
    const own = await sessions(accessToken);
    expect(own.every(({ user }) => user === 'viewer')).toBe(true);
    expect(own.filter(({ current }) => current)).toMatchObject([{ address: '127.0.0.1', renewedAt: null }]);
    expect(new Set((await sessions(manager.admin)).map(({ user }) => user))).toEqual(new Set(['admin', 'viewer']));
  });

  it('end with all their tokens when they are revoked, and others stay', async () => {
    const [first, second] = [await logIn('viewer'), await logIn('viewer')];
    const ended = (await sessions(first.accessToken)).find(({ current }) => current)?.id ?? 0;
    expect((await revoke(ended, second.accessToken)).status).toBe(204);
    await expect.poll(() => statusWith(first.accessToken), { timeout: 2_000, interval: 50 }).toBe(401);
    expect((await post('refresh', { refreshToken: first.refreshToken })).status).toBe(401);
    expect(await statusWith(second.accessToken)).toBe(200);
    const [event] = await platform.database.query(
      `SELECT payload ->> 'auditMessage' AS message FROM outbox.events WHERE payload ->> 'entityType' = 'Login session'`,
    );
    expect(event).toEqual({ message: `User viewer has deleted the Login session called viewer with id ${ended}` });
  });

  it('of others are ended by administrators only', async () => {
    const { accessToken } = await logIn('viewer');
    const of = (bearer: string) => sessions(bearer).then((all) => all.find(({ current }) => current)?.id ?? 0);
    const refused = await revoke(await of(manager.admin), accessToken);
    expect([refused.status, problemSchema.parse(refused.json()).code]).toEqual([404, 'entity_unknown']);
    expect(await statusWith(manager.admin)).toBe(200);
    expect((await revoke(await of(accessToken), manager.admin)).status).toBe(204);
    await expect.poll(() => statusWith(accessToken)).toBe(401);
    for (const id of [0, 999_999_999, 9_007_199_254_740_991]) {
      expect([400, 404]).toContain((await revoke(id, manager.admin)).status);
    }
  });

  it('end with the logout, and with a refresh token that is used twice', async () => {
    const out = await logIn('viewer');
    expect((await post('logout', { refreshToken: out.refreshToken })).status).toBe(204);
    await expect.poll(() => statusWith(out.accessToken)).toBe(401);

    const stolen = await logIn('viewer');
    const renewed = (await post('refresh', { refreshToken: stolen.refreshToken })).json() as Tokens;
    expect(await statusWith(renewed.accessToken)).toBe(200);
    expect((await post('refresh', { refreshToken: stolen.refreshToken })).status).toBe(401);
    expect((await post('refresh', { refreshToken: renewed.refreshToken })).status).toBe(401);
    await expect.poll(() => statusWith(renewed.accessToken)).toBe(401);
  });
});

describe('an access token', () => {
  const admin = { userName: userNameSchema.parse('admin'), roles: ['Administrators'] };
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  let issuerWith: (options?: { issuer?: string; audience?: string; lifetimeSeconds?: number }) => TokenIssuer;

  beforeAll(async () => {
    const { active } = await loadKeySet(tokenKeyStore(platform.env['ACCESS_SIGNING_KEY_FILE'] ?? ''));
    const names = { issuer: 'waybill', audience: 'waybill' };
    issuerWith = (options) => createTokenIssuer({ keys: onlyKey(active), ...names, ...options });
  });

  it('of the platform itself is accepted, with or without a session', async () => {
    expect(await statusWith(issuerWith().issue(admin))).toBe(200);
  });

  it.each([
    ['that is not signed', () => `${encode({ alg: 'none', typ: 'at+jwt' })}.${manager.admin.split('.')[1]}.`],
    [
      'of another key with the same id',
      () => {
        const [header = '', payload = ''] = manager.admin.split('.');
        const stranger = createSigningKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
        const names = { issuer: 'waybill', audience: 'waybill' };
        const signature = createTokenIssuer({ keys: onlyKey(stranger), ...names })
          .issue(admin)
          .split('.')[2];
        return `${header}.${payload}.${signature}`;
      },
    ],
    ['for another audience', () => issuerWith({ audience: 'others' }).issue(admin)],
    ['of another issuer', () => issuerWith({ issuer: 'others' }).issue(admin)],
    ['that has expired', () => issuerWith({ lifetimeSeconds: -120 }).issue(admin)],
    ['of a user who does not exist', () => issuerWith().issue({ ...admin, userName: userNameSchema.parse('mallory') })],
    ['of a user who is disabled', () => issuerWith().issue({ ...admin, userName: userNameSchema.parse('retired') })],
    ['of a session that does not exist', () => issuerWith().issue({ ...admin, sessionId: '999999999' })],
    [
      'that was altered',
      () => {
        const [header, payload = '', signature] = manager.viewer.split('.');
        const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
        return `${header}.${encode({ ...claims, sub: 'admin' })}.${signature}`;
      },
    ],
    ['that is cut', () => manager.admin.slice(0, -8)],
    ['that is huge', () => `${manager.admin}${'A'.repeat(7_000)}`],
  ])('%s is refused with 401', async (_, make) => {
    const response = await manager.client.get('/job-manager/jobs', { bearer: make() });
    expect([response.status, problemSchema.parse(response.json()).code]).toEqual([401, 'not_authenticated']);
  });
});

describe('the list of sessions', () => {
  const path = `${api}/sessions`;

  it('comes page by page, newest first, while others log in and sessions end', async () => {
    for (let login = 0; login < 5; login += 1) await logIn('viewer');
    const before = await sessions(manager.admin);
    const [newest] = before;
    const query = { maxItems: '2' };
    const pages = await walkList<Session>(manager, { path, bearer: manager.admin, query }, async (page) => {
      if (page > 1) return;
      await logIn('viewer');
      // The page is already read: its end moves no other session.
      await revoke(newest?.id ?? 0, manager.admin);
    });
    expect(pages.slice(0, -1).every(({ length }) => length === 2)).toBe(true);
    expect(pages.flat().map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(before.map(({ id }) => id)).toEqual(before.map(({ id }) => id).toSorted((one, other) => other - one));
  });

  it('is limited to a user, and never shows those of others to a user without the permission', async () => {
    const { accessToken: bearer } = await logIn('viewer');
    const usersOf = async (by: string, user: string) =>
      new Set(
        (await walkList<Session>(manager, { path, bearer: by, query: { user, maxItems: '1' } }))
          .flat()
          .map((each) => each.user),
      );
    expect(await usersOf(manager.admin, 'viewer')).toEqual(new Set(['viewer']));
    expect(await usersOf(bearer, 'viewer')).toEqual(new Set(['viewer']));
    expect(await usersOf(bearer, 'admin')).toEqual(new Set());
    const [first] = await walkList<Session>(manager, { path, bearer: manager.admin, query: { maxItems: '1' } });
    const cursor = Buffer.from(JSON.stringify([String((first?.[0]?.id ?? 0) + 1)])).toString('base64url');
    const stolen = await manager.client.get(path, { bearer, query: { cursor } });
    expect((stolen.json() as { items: Session[] }).items.every(({ user }) => user === 'viewer')).toBe(true);
  });

  it('refuses cursors and sizes of pages that are wrong', () =>
    expectRefusedPages(manager, { path, bearer: manager.admin }));

  it('is complete on the command line', async () => {
    await using access = await platformAccess(manager);
    const { code, out } = await runWaybill('logins', 'list', '--json', ...access.options);
    const shown = out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as Session).id);
    expect([code, shown]).toEqual([0, (await sessions(manager.admin)).map(({ id }) => id)]);
    const table = (await runWaybill('logins', 'list', ...access.options)).out.split('\n');
    expect(table[0]).toMatch(/^NUMBER +USER +ADDRESS +SINCE$/u);
    expect(table.filter((line) => line.endsWith('this one'))).toHaveLength(1);
    const ended = shown.at(0);
    const revoked = await runWaybill('logins', 'revoke', String(ended), '--json', ...access.options);
    expect(JSON.parse(revoked.out)).toEqual({ id: ended, revoked: true });
  });
});
