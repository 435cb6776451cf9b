import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { afterEach, describe, expect, test } from 'vitest';
import { twoPeers } from './test-peers.ts';

const site = twoPeers({ env: { LOGIN_FAILURES_PER_USER: '3', LOGIN_FAILURES_PER_ADDRESS: '1000' } });
const chosen = 'correct horse battery';
let addresses = 0;

/** Each from a different address, so that no failure delays another. */
const fromSomewhere = () => {
  addresses += 1;
  return { 'x-forwarded-for': `198.51.100.${addresses}` };
};
const put = (json: unknown, headers = fromSomewhere()) =>
  createHttpClient(site.peer.url).put('/2.0/account/password', { json, headers });
const change = (username: string, currentPassword: string, newPassword: string) =>
  put({ username, currentPassword, newPassword });
const logIn = (username: string, password: string) =>
  createHttpClient(site.other.url).post('/2.0/login/basic', { form: { username, password }, headers: fromSomewhere() });
const setPolicy = (passwords: object) =>
  site.rig.database.query(
    `INSERT INTO directory.account_policies (name, definition)
     VALUES ('default', jsonb_build_object('name', 'default', 'passwords', '${JSON.stringify(passwords)}'::jsonb))`,
  );
const age = (name: string) =>
  site.rig.database.query(
    `UPDATE directory.partner_users SET password_changed_at = now() - interval '91 days' WHERE name = '${name}'`,
  );
const auditOf = async (user: string) =>
  (await site.rig.audited()).filter(({ dataoneUser }) => dataoneUser === user).map(({ auditMessage }) => auditMessage);

afterEach(async () => {
  await site.rig.database.query('DELETE FROM directory.account_policies');
});

describe('PUT /account/password', () => {
  test('changes the password on every peer, ends the sessions of the user and is audited', async () => {
    const cookie = (await site.other.logIn('acme')).cookies.header() ?? '';
    const answer = await change('acme', 'acme-demo', chosen);
    expect([answer.status, answer.json()]).toEqual([200, expect.objectContaining({ result: 'ok' })]);
    expect((await logIn('acme', 'acme-demo')).status).toBe(401);
    expect((await logIn('acme', chosen)).status).toBe(200);
    expect((await createHttpClient(site.other.url).get('/2.0/directories/', { headers: { cookie } })).status).toBe(401);
    expect(await auditOf('acme')).toContain('Password changed for user acme');
    expect((await createHttpClient(site.peer.url).get('/metrics')).text).toMatch(
      /waybill_http_password_changes_total\{outcome="changed"[^}]*\} 1\n/u,
    );
    expect([...site.peer.logLines].join('')).not.toContain(chosen);
  });

  test('says what the policy has against a new password', async () => {
    const answer = await change('globex', 'globex-demo', 'globex');
    expect([answer.status, answer.json()]).toEqual([
      400,
      expect.objectContaining({
        result: 'failed',
        errorType: 'request_syntax',
        code: 'password_refused',
        message: 'The new password is not allowed',
        detail: 'The new password needs 12 characters or more, and contains the user name',
      }),
    ]);
    expect((await logIn('globex', 'globex-demo')).status).toBe(200);
    expect(await auditOf('globex')).toContain('Password change failed for user globex');
  });

  test.each([
    ['a wrong present password', 'hooli', 'wrong'],
    ['an unknown user', 'mallory', 'mallory-demo'],
    ['a name that is no name', 'a/b:c d', 'x'],
  ])('refuses %s in the same words', async (_what, user, present) => {
    const answer = await change(user, present, chosen);
    expect([answer.status, answer.json()]).toEqual([
      401,
      {
        result: 'failed',
        timestamp: expect.any(String),
        message: 'Invalid username or password',
        errorType: 'authentication',
      },
    ]);
  });

  test.each([
    ['no body', undefined],
    ['no user', { currentPassword: 'a', newPassword: 'b' }],
    ['an empty new password', { username: 'hooli', currentPassword: 'hooli-demo', newPassword: '' }],
    ['a huge new password', { username: 'hooli', currentPassword: 'hooli-demo', newPassword: 'x'.repeat(1_025) }],
    ['a number', { username: 'hooli', currentPassword: 'hooli-demo', newPassword: 123_456_789_012 }],
    ['a list', []],
    ['more than is known', { username: 'hooli', currentPassword: 'hooli-demo', newPassword: chosen, roles: ['admin'] }],
  ])('refuses %s, and changes nothing', async (_what, body) => {
    expect((await put(body)).status).toBe(400);
    expect((await logIn('hooli', 'hooli-demo')).status).toBe(200);
  });

  test('guesses count as failed logins', async () => {
    const headers = fromSomewhere();
    const guess = (currentPassword: string) =>
      put({ username: 'initech', currentPassword, newPassword: chosen }, headers);
    for (let tries = 0; tries < 3; tries += 1) expect((await guess(`wrong ${tries}`)).status).toBe(401);
    expect((await guess('initech-demo')).status).toBe(429);
    const login = await createHttpClient(site.peer.url).post('/2.0/login/basic', {
      form: { username: 'initech', password: 'initech-demo' },
      headers,
    });
    expect(login.status).toBe(429);
  });
});

describe('a password that has expired', () => {
  test('opens no session until it is changed; a wrong one is not told so', async () => {
    await setPolicy({ expiresAfterDays: 90 });
    await age('reader');
    const refused = await logIn('reader', 'reader-demo');
    expect([refused.status, refused.headers.getSetCookie(), refused.json()]).toEqual([
      401,
      [],
      {
        result: 'failed',
        timestamp: expect.any(String),
        message: 'The password must be changed',
        detail: 'Your password has expired',
        errorType: 'authentication',
        code: 'password_change_required',
      },
    ]);
    expect((await logIn('reader', 'wrong')).json()).toMatchObject({ message: 'Invalid username or password' });
    expect(await auditOf('reader')).toContain('User reader was turned away: Your password has expired');
    expect((await change('reader', 'reader-demo', chosen)).status).toBe(200);
    expect((await logIn('reader', chosen)).status).toBe(200);
  });
});
