import { issueFirstPasswordCode } from '@waybill/access/first-password-codes';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { issueFirstPasswords } from '@waybill/directory/logins/issue-first-passwords';
import { beforeEach, expect, test } from 'vitest';
import { testConfiguration } from './test-configuration.ts';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager();
let addresses = 0;

const configured = (password?: string) => ({
  ...testConfiguration,
  managerUsers: [
    ...testConfiguration.managerUsers,
    { name: 'first', roles: ['Administrators'], ...(password !== undefined && { password }) },
  ],
});

/** Each from a different address, so that no failure delays another. */
function post(verb: string, json: object) {
  addresses += 1;
  const headers = { 'x-forwarded-for': `198.51.100.${addresses}` };
  return site.manager.client.post(`/platform-application/api/v1/auth/${verb}`, { json, headers });
}

const newPassword = 'correct horse battery';
const redeem = (code: string, more: object = {}) =>
  post('first-password', { username: 'first', code, newPassword, ...more });
const logIn = async (password: string) => (await post('login', { username: 'first', password })).status;
const newCode = async () =>
  (await issueFirstPasswords(site.platform.db)).find(({ userName }) => userName === 'first')?.code ?? '';

beforeEach(async () => {
  await site.platform.apply(testConfiguration);
  await site.platform.apply(configured());
});

test('a user without a password sets the first one with the code, once, and logs in with it', async () => {
  const code = await newCode();
  expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}(?:-[0-9A-HJKMNP-TV-Z]{5}){4}$/u);
  expect(await logIn(code)).toBe(401);
  expect((await redeem(code)).status).toBe(204);
  expect(await logIn(newPassword)).toBe(200);
  expect((await redeem(code, { newPassword: 'another horse battery' })).status).toBe(401);
  expect(await logIn(newPassword)).toBe(200);
  const audited = await site.platform.database.query(
    "SELECT payload ->> 'entityName' AS user FROM outbox.events WHERE payload ->> 'auditCode' = 'AUD0010A'",
  );
  expect(audited).toContainEqual({ user: 'first' });
});

test('of many who send the code at once, one sets the password', async () => {
  const code = await newCode();
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, index) => redeem(code, { newPassword: `${newPassword} ${index}` })),
  );
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
});

test('the code may be typed in small letters, without dashes and with blanks', async () => {
  const code = await newCode();
  expect((await redeem(` ${code.toLowerCase().replaceAll('-', '')} `)).status).toBe(204);
});

test('a password that was set is kept when the configuration is applied again, and no other code is created', async () => {
  await redeem(await newCode());
  await site.platform.apply(configured());
  expect(await newCode()).toBe('');
  expect(await logIn(newPassword)).toBe(200);
});

test('a new code puts the one before out of force, and a password of the configuration puts every code', async () => {
  const [before, after] = [await newCode(), await newCode()];
  expect((await redeem(before)).status).toBe(401);
  await site.platform.apply(configured('from the configuration'));
  await issueFirstPasswords(site.platform.db);
  expect((await redeem(after)).status).toBe(401);
  expect(await logIn('from the configuration')).toBe(200);
});

test('a code is for one user, who is enabled and has no password', async () => {
  const code = await newCode();
  const foreign = await issueFirstPasswordCode(site.platform.db, userNameSchema.parse('admin'), 24);
  const retired = await issueFirstPasswordCode(site.platform.db, userNameSchema.parse('retired'), 24);
  for (const [username, tried] of [
    ['admin', code],
    ['admin', foreign],
    ['retired', retired],
    ['nobody', code],
    ['first', foreign],
  ]) {
    expect((await redeem(tried ?? '', { username })).status).toBe(401);
  }
  expect((await redeem(code)).status).toBe(204);
});

test('a code that is too old, wrong, huge or no text is refused', async () => {
  const code = await issueFirstPasswordCode(site.platform.db, userNameSchema.parse('first'), -1);
  for (const wrong of [code, '0', '-', '\0', 'é'.repeat(128)]) expect((await redeem(wrong)).status).toBe(401);
  for (const invalid of [{ code: '' }, { code: 'x'.repeat(129) }, { code: 7 }, { newPassword: '' }, { username: '' }]) {
    expect((await redeem('x', invalid)).status).toBe(400);
  }
});

test('a password that the policy refuses does not use up the code', async () => {
  const code = await newCode();
  expect((await redeem(code, { newPassword: 'short' })).json()).toMatchObject({
    status: 400,
    code: 'password_refused',
  });
  expect((await redeem(code)).status).toBe(204);
});

test('codes cannot be guessed: after five of them from one address the next has to wait', async () => {
  const code = await newCode();
  const headers = { 'x-forwarded-for': '203.0.113.9' };
  const guess = (guessed: string) =>
    site.manager.client.post('/platform-application/api/v1/auth/first-password', {
      json: { username: 'first', code: guessed, newPassword },
      headers,
    });
  for (let tries = 0; tries < 5; tries += 1) expect((await guess(`GUESS-${tries}`)).status).toBe(401);
  expect((await guess(code)).status).toBe(429);
});
