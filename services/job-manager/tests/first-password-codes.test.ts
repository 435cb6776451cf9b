import { createHttpClient, type HttpResponse } from '@waybill/test-kit/create-http-client';
import { runWaybill } from '@waybill/test-kit/processes/run-waybill';
import { expect, it } from 'vitest';
import { oneConfiguredManager, prefix } from './configuration-requests.ts';

const { site, planOf, applied, audited } = oneConfiguredManager();

const newPassword = 'correct horse battery';
const document = {
  source: 'team',
  roles: [{ name: 'Identity keepers', permissions: ['identities:*'] }],
  managerUsers: [
    { name: 'lena', roles: ['Users'] },
    { name: 'boss', roles: ['Administrators'] },
    { name: 'gone', roles: ['Users'], enabled: false },
    { name: 'ivan', roles: ['Identity keepers'], password: newPassword },
  ],
};

/** Of the source `team`. */
const codes = async (): Promise<ReadonlyMap<string, string>> => {
  const { firstPasswords } = await applied(await planOf(document));
  return new Map(firstPasswords.map(({ userName, code }) => [userName, code]));
};
const issue = (name: string, bearer = site.manager.admin): Promise<HttpResponse> =>
  site.manager.client.post(`${prefix}/manager-users/${encodeURIComponent(name)}/first-password-code`, { bearer });
const auth = (verb: string, json: object) =>
  createHttpClient(site.manager.url).post(`${prefix}/auth/${verb}`, { json });
const redeem = async (username: string, code = '') =>
  (await auth('first-password', { username, code, newPassword })).status;
const refusal = (response: HttpResponse) => {
  const { code, detail } = response.json() as { code: string; detail?: string };
  return [response.status, code, detail];
};

it('a code for a first password that was lost is issued again, and the former one no longer works', async () => {
  const lost = (await codes()).get('lena');
  const issued = await issue('lena');
  expect([issued.status, issued.headers.get('cache-control')]).toEqual([201, 'no-store']);
  const { code, ...more } = issued.json() as { code: string };
  expect(more).toEqual({ userName: 'lena', hours: 24 });
  expect(await redeem('lena', lost)).toBe(401);
  expect(await redeem('lena', code)).toBe(204);
  expect(await audited("payload ->> 'auditCode' = 'AUD0019A'")).toContainEqual({
    code: 'AUD0019A',
    user: 'admin',
    name: 'lena',
  });
  const events = await site.platform.database.query(
    "SELECT FROM outbox.events WHERE payload::text LIKE '%' || $1 || '%'",
    [code],
  );
  expect(events).toEqual([]);
});

it('none is issued for a user who has a password, is disabled or does not exist', async () => {
  await codes();
  expect(refusal(await issue('ivan'))).toEqual([409, 'first_password_refused', 'The manager user ivan has a password']);
  expect(refusal(await issue('gone'))).toEqual([409, 'first_password_refused', 'The manager user gone is disabled']);
  for (const name of ['nobody', 'acme', '../admin', "'; DROP TABLE x; --"]) {
    expect(refusal(await issue(name)).slice(0, 2)).toEqual([404, 'entity_unknown']);
  }
});

it('none is issued for a user with more rights, and by somebody who may not change manager users', async () => {
  await codes();
  const { accessToken } = (await auth('login', { username: 'ivan', password: newPassword })).json() as {
    accessToken: string;
  };
  expect(refusal(await issue('boss', accessToken)).slice(0, 2)).toEqual([403, 'not_permitted']);
  expect(refusal(await issue('lena', site.manager.viewer)).slice(0, 2)).toEqual([403, 'not_permitted']);
  expect((await site.manager.client.post(`${prefix}/manager-users/lena/first-password-code`)).status).toBe(401);
});

it('a code ends when the rights of its user change: who was allowed to have it may not be allowed to become that user', async () => {
  const team = await codes();
  await applied(await planOf({ ...document, managerUsers: document.managerUsers.slice(1) }));
  expect(await redeem('lena', team.get('lena'))).toBe(401);
  const api = async (path: string, json: object, method: 'POST' | 'PUT' = 'POST') =>
    (await site.manager.client.request(method, `${prefix}/${path}`, { bearer: site.manager.admin, json })).status;
  expect(await api('roles', { name: 'Watchers', permissions: ['jobs:read'] })).toBe(201);
  expect(await api('manager-users', { name: 'mina', roles: ['Watchers'] })).toBe(201);
  const codeOf = async (name: string) => ((await issue(name)).json() as { code: string }).code;

  const beforeRole = await codeOf('mina');
  expect(await api('roles/Watchers', { permissions: ['identities:*'] }, 'PUT')).toBe(200);
  expect(await redeem('mina', beforeRole)).toBe(401);

  const beforeUser = await codeOf('mina');
  expect(await api('manager-users/mina', { roles: ['Administrators'] }, 'PUT')).toBe(200);
  expect(await redeem('mina', beforeUser)).toBe(401);

  const kept = await codeOf('mina');
  expect(await api('manager-users/mina', { roles: ['Administrators'], passwordChangeRequired: true }, 'PUT')).toBe(200);
  expect(await redeem('mina', kept)).toBe(204);
});

it('`waybill managers first-password` issues one, and prints how it is used', async () => {
  await codes();
  const env = { WAYBILL_URL: site.manager.url, WAYBILL_TOKEN: site.manager.admin };
  const issued = await runWaybill(['managers', 'first-password', 'lena'], env);
  const [, url, code] = /waybill login --url (\S+) --user lena --code (\S+)/u.exec(issued.out) ?? [];
  expect([issued.code, url, await redeem('lena', code)]).toEqual([0, site.manager.url, 204]);
  const refused = await runWaybill(['managers', 'first-password', 'lena'], env);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('has a password')]);
});
