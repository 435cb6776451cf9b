import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { HttpResponse } from '@waybill/test-kit/create-http-client';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { readRecords } from './audited/read-records.ts';
import { type Outcome, waybillAt } from './command-line/waybill.ts';
import { type PlatformProcess, startPlatformProcess } from './platform-process.ts';

const api = '/platform-application/api/v1';
const recover = 'recover-administrator';
const chosen = 'a password chosen after the recovery';
const resources = new AsyncDisposableStack();
const tokensSchema = z.object({ accessToken: z.string(), refreshToken: z.string() });
let platform: PlatformProcess;

beforeAll(async () => {
  platform = resources.use(await startPlatformProcess());
});
afterAll(() => resources.disposeAsync());

/** `waybill` on the server, in the environment of the operator. */
async function onServer(...args: readonly string[]): Promise<Outcome> {
  const env = parseEnv(await readFile(join(platform.folder, 'environments', 'waybill.env'), 'utf8'));
  return await waybillAt(platform.folder)(args, { env: env as Record<string, string> });
}

const post = (path: string, json: object): Promise<HttpResponse> => platform.http().post(`${api}/${path}`, { json });

const logIn = (username: string, password: string) => post('auth/login', { username, password });

const statusOf = async (bearer: string, path = '/job-manager/jobs') =>
  (await platform.http().get(path, { bearer })).status;

const codeIn = (out: string): string => / --code (\S+)/u.exec(out)?.[1] ?? '';

it('a lost administrator comes back with a code, and what was valid before is refused', async () => {
  const { accessToken, refreshToken } = tokensSchema.parse((await logIn('admin', 'admin-demo')).json());
  const created = await platform.http().post(`${api}/api-keys`, { bearer: accessToken, json: { name: 'before' } });
  const { key } = z.object({ key: z.string() }).parse(created.json());
  expect([await statusOf(accessToken), await statusOf(key)]).toEqual([200, 200]);

  const { code, out, err } = await onServer(recover, 'admin', '--reason', 'the password is lost');
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain('admin is an administrator.\n! admin has no password.');
  await expect.poll(() => Promise.all([statusOf(accessToken), statusOf(key)])).toEqual([401, 401]);
  expect((await post('auth/refresh', { refreshToken })).status).toBe(401);
  expect((await logIn('admin', 'admin-demo')).status).toBe(401);

  // The code of an earlier recovery is not valid any longer, and each one once.
  const again = await onServer(recover, 'admin', '--reason', 'the code is lost, too');
  const set = (given: string) =>
    post('auth/first-password', { username: 'admin', code: codeIn(given), newPassword: chosen });
  expect((await set(out)).status).toBe(401);
  expect((await set(again.out)).status).toBe(204);
  expect((await set(again.out)).status).toBe(401);
  const login = tokensSchema.parse((await logIn('admin', chosen)).json());
  expect(await statusOf(login.accessToken, `${api}/manager-users`)).toBe(200);

  const found = await waitFor(
    async () => {
      const records = await readRecords(platform, login.accessToken);
      const recoveries = records.filter(({ auditCode }) => auditCode === 'AUD0018A');
      return recoveries.length < 2 ? undefined : recoveries;
    },
    { what: 'the records of the recoveries' },
  );
  expect(found).toHaveLength(2);
  expect(found).toContainEqual(
    expect.objectContaining({
      dataoneUser: userInfo().username,
      entityType: 'Internal User',
      entityName: 'admin',
      context: expect.objectContaining({ reason: 'the password is lost' }),
    }),
  );
  expect(JSON.stringify(found)).not.toContain(codeIn(again.out));
});

it('a new user, and one who is disabled and has another role, become administrators, of the API or by force', async () => {
  const { accessToken: bearer } = tokensSchema.parse((await logIn('admin', chosen)).json());
  const oidc = { issuer: 'https://issuer.example', subject: 'in-the-hands-of-others' };
  const settings = { roles: ['Users'], enabled: false, password: 'a password of a former user', oidc };
  const put = await platform.http().request('PUT', `${api}/manager-users/former`, { bearer, json: settings });
  expect(put.status).toBe(201);
  for (const [user, roles, source] of [
    ['rescue', ['Administrators'], null],
    ['former', ['Users', 'Administrators'], null],
    ['viewer', ['Users', 'Administrators'], 'default'],
  ] as const) {
    const { code, out } = await onServer(recover, user, '--reason', 'no other administrator is here');
    expect(code).toBe(0);
    expect(out.includes(`There was no manager user ${user}: a new administrator was created.`)).toBe(user === 'rescue');
    expect((await logIn(user, settings.password)).status).toBe(401);
    const first = { username: user, code: codeIn(out), newPassword: chosen };
    expect((await post('auth/first-password', first)).status).toBe(204);
    const token = tokensSchema.parse((await logIn(user, chosen)).json()).accessToken;
    const shown = await platform.http().get(`${api}/manager-users/${user}`, { bearer: token });
    expect(shown.json()).toMatchObject({ name: user, enabled: true, roles, source });
    expect(shown.json()).not.toHaveProperty('oidc');
  }
  const drift = await platform.http().get(`${api}/configuration/drift`, { bearer });
  expect(drift.text).toContain('no other administrator is here');
});

it('without a reason, without a database and for a name that no user can have nothing is changed', async () => {
  const before = await logIn('rescue', chosen);
  for (const args of [
    ['rescue'],
    ['rescue', '--reason', ''],
    ['rescue', '--reason', ' \t '],
    ['rescue', '--reason', 'x'.repeat(501)],
    ['rescue', 'viewer', '--reason', 'two'],
    ['', '--reason', 'empty'],
    ['a b', '--reason', 'a blank'],
    ['a/b', '--reason', 'a slash'],
    ['a\u009bb', '--reason', 'a control character'],
    ['x'.repeat(129), '--reason', 'too long'],
    ['--reason', 'no user'],
  ]) {
    const { code, out } = await onServer(recover, ...args);
    expect([args, code, out]).toEqual([args, 2, '']);
  }
  expect(await waybillAt(platform.folder)([recover, 'rescue', '--reason', 'elsewhere'])).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('DATABASE_URL'),
  });
  expect(before.status).toBe(200);
  expect((await logIn('rescue', chosen)).status).toBe(200);
});
