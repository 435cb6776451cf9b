import { reencryptSecondFactors } from '@waybill/access/second-factors/sealed-totp-secret';
import { createSecondFactors } from '@waybill/access/second-factors/second-factors';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { newKeyRingEntry } from '@waybill/secrets/key-ring';
import { openKeyRingSource } from '@waybill/secrets/key-ring-source';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { codeOfApp } from './authenticator-app.ts';
import { startTestJobManager } from './start-test-job-manager.ts';
import { testConfiguration } from './test-configuration.ts';
import { oneJobManager } from './test-managers.ts';

const keys = newKeyRingEntry();
const site = oneJobManager({ ACCESS_SECRET_KEYS: keys });
const api = '/platform-application/api/v1';
const viewer = { username: 'viewer', password: 'viewer-demo' };
const tokensSchema = z.object({ accessToken: z.string(), refreshToken: z.string() });
const codesSchema = z.object({ recoveryCodes: z.array(z.string()) });
let addresses = 0;

/** Each from a different address, unless one is given: the throttle counts by address. */
const post = (path: string, json: object, address = `198.51.100.${(addresses += 1)}`) =>
  site.manager.client.post(`${api}/auth/${path}`, { json, headers: { 'x-forwarded-for': address } });
const logIn = (code?: string, user: object = viewer) => post('login', { ...user, ...(code !== undefined && { code }) });
const stored = (sql: string) => site.platform.database.query(sql);
const audited = async (code: string) =>
  (
    await site.platform.database.query(
      `SELECT payload FROM outbox.events WHERE payload ->> 'auditCode' = $1 ORDER BY id`,
      [code],
    )
  ).map(({ payload }) => payload as Record<string, unknown>);
const codeOf = (response: { json(): unknown }) => (response.json() as { code?: string }).code;
/** Lets the codes of the present steps be used again, as if time had gone by. */
const later = () => stored('UPDATE access.second_factors SET last_step = 0');

async function begin(user: object = viewer): Promise<string> {
  const response = await post('second-factor', user);
  expect([response.status, response.headers.get('cache-control')]).toEqual([201, 'no-store']);
  return z.object({ secret: z.string().regex(/^[A-Z2-7]{32}$/u) }).parse(response.json()).secret;
}

async function enable(user: object = viewer) {
  const secret = await begin(user);
  const response = await post('second-factor/confirm', { ...user, code: codeOfApp(secret) });
  expect(response.status, response.text).toBe(200);
  await later();
  return { secret, ...codesSchema.parse(response.json()) };
}

afterEach(async () => {
  await stored('DELETE FROM access.second_factors');
});

describe('setting up', () => {
  it('changes nothing until a code confirms it; then logins need a code, and the former ones have ended', async () => {
    const { accessToken: bearer, refreshToken } = tokensSchema.parse((await logIn()).json());
    const show = () => site.manager.client.get(`${api}/auth/second-factor`, { bearer });
    const secret = await begin();
    expect((await show()).json()).toEqual({ active: false, required: false, since: null, recoveryCodesLeft: 0 });
    expect((await logIn()).status).toBe(200);
    const wrong = await post('second-factor/confirm', { ...viewer, code: '000000' });
    expect(wrong.json()).toMatchObject({ status: 401, code: 'second_factor_refused' });
    const confirmed = await post('second-factor/confirm', { ...viewer, code: codeOfApp(secret) });
    const { recoveryCodes } = codesSchema.parse(confirmed.json());
    expect(new Set(recoveryCodes).size).toBe(10);
    expect((await post('refresh', { refreshToken })).status).toBe(401);
    expect((await logIn()).json()).toMatchObject({ status: 401, code: 'second_factor_required' });
    expect((await audited('AUD0092A')).at(-1)).toMatchObject({ dataoneUser: 'viewer', entityName: 'viewer' });
    expect((await audited('AUD0091A')).at(-1)).toMatchObject({
      auditMessage: 'User viewer did not log into Waybill: A code of the second factor is required',
      context: { outcome: 'second_factor_required', authentication: 'password' },
    });
    // The code that confirmed it is used up.
    expect(codeOf(await logIn(codeOfApp(secret)))).toBe('second_factor_refused');
    expect((await logIn(codeOfApp(secret, 1))).status).toBe(200);
    expect((await audited('AUD0007A')).at(-1)).toMatchObject({ context: { authentication: 'password, TOTP' } });
  });

  it('replaces a secret that was not confirmed, and not one that was', async () => {
    const first = await begin();
    const second = await begin();
    expect(codeOf(await post('second-factor/confirm', { ...viewer, code: codeOfApp(first) }))).toBe(
      'second_factor_refused',
    );
    expect((await post('second-factor/confirm', { ...viewer, code: codeOfApp(second) })).status).toBe(200);
    for (const path of ['second-factor', 'second-factor/confirm']) {
      const refused = await post(path, { ...viewer, code: codeOfApp(second, 1) });
      expect(refused.json()).toMatchObject({ status: 409, code: 'second_factor_exists' });
    }
  });

  it('needs the password, and is throttled like logins', async () => {
    const address = '192.0.2.77';
    for (const path of ['second-factor', 'second-factor/confirm', 'second-factor/remove', 'second-factor', 'login']) {
      const refused = await post(path, { ...viewer, password: 'wrong', code: '123456' }, address);
      expect(refused.json()).toMatchObject({ status: 401, code: 'invalid_credentials' });
    }
    expect((await post('second-factor', viewer, address)).status).toBe(429);
  });

  it('stores no secret and no code that could be read', async () => {
    const { secret, recoveryCodes } = await enable();
    const rows = JSON.stringify([
      await stored('SELECT f::text AS row FROM access.second_factors f'),
      await stored('SELECT c::text AS row FROM access.recovery_codes c'),
      await stored('SELECT payload::text AS row FROM outbox.events'),
    ]);
    for (const text of [secret, ...recoveryCodes]) expect(rows).not.toContain(text);
  });

  it('is refused with a sentence where there is no key to encrypt with', async () => {
    await using bare = await startTestJobManager(site.platform, { NODE_NAME: 'node2' });
    const response = await bare.client.post(`${api}/auth/second-factor`, { json: viewer });
    expect(response.json()).toMatchObject({ status: 503, detail: expect.stringContaining('ACCESS_SECRET_KEYS') });
  });

  it.each([{ password: undefined }, { code: '' }, { code: 123_456 }, { code: 'x'.repeat(65) }, { username: '' }])(
    'cannot be confirmed with %j',
    async (wrong) => {
      const response = await post('second-factor/confirm', { ...viewer, code: '123456', ...wrong });
      expect(response.status).toBe(400);
    },
  );
});

describe('a login with a second factor', () => {
  it('takes each code once, also of many at once', async () => {
    const { secret } = await enable();
    const code = codeOfApp(secret);
    const statuses = (await Promise.all(Array.from({ length: 4 }, () => logIn(code)))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 401, 401, 401]);
  });

  it('takes each recovery code once, in any form, and no code of another user', async () => {
    const { recoveryCodes } = await enable();
    const [first = '', second = ''] = recoveryCodes;
    const admin = { username: 'admin', password: 'admin-demo' };
    await enable(admin);
    expect(codeOf(await logIn(first, admin))).toBe('second_factor_refused');
    expect((await logIn(` ${first.toLowerCase().replaceAll('-', ' ')} `)).status).toBe(200);
    expect(codeOf(await logIn(first))).toBe('second_factor_refused');
    const { accessToken: bearer } = tokensSchema.parse((await logIn(second)).json());
    expect((await site.manager.client.get(`${api}/auth/second-factor`, { bearer })).json()).toMatchObject({
      active: true,
      recoveryCodesLeft: 8,
    });
    expect((await audited('AUD0007A')).at(-1)).toMatchObject({ context: { authentication: 'password, recovery code' } });
  });

  it('does not tell whether the code is right to who has a wrong password', async () => {
    const { secret } = await enable();
    const guess = await logIn(codeOfApp(secret), { ...viewer, password: 'wrong' });
    expect(codeOf(guess)).toBe('invalid_credentials');
    expect((await logIn(codeOfApp(secret))).status).toBe(200);
  });

  it('counts wrong codes as failures of the address, which right passwords alone do not forgive', async () => {
    const { secret } = await enable();
    const attempt = async (code?: string) =>
      (await post('login', { ...viewer, ...(code !== undefined && { code }) }, '192.0.2.78')).status;
    for (let index = 0; index < 5; index += 1) {
      expect([await attempt(), await attempt('000000')]).toEqual([401, 401]);
    }
    expect(await attempt(codeOfApp(secret))).toBe(429);
    expect((await logIn(codeOfApp(secret))).status).toBe(200);
  });

  it('is refused after ten wrong codes in a row from any addresses, for longer each time', async () => {
    const { secret } = await enable();
    const guessTen = async () => {
      for (let index = 0; index < 10; index += 1) expect(codeOf(await logIn('000000'))).toBe('second_factor_refused');
    };
    const waits = [];
    for (let round = 0; round < 2; round += 1) {
      await guessTen();
      const refused = await logIn(codeOfApp(secret));
      expect(refused.json()).toMatchObject({ status: 429, detail: expect.stringContaining('Too many wrong codes') });
      waits.push(Number(refused.headers.get('retry-after')));
      await stored('UPDATE access.second_factors SET blocked_until = NULL');
    }
    expect(waits).toEqual([expect.closeTo(300, -1), expect.closeTo(600, -1)]);
    expect((await logIn(codeOfApp(secret))).status).toBe(200);
  });

  it('is needed to change the password, with a login or without', async () => {
    const { secret } = await enable();
    const { accessToken: bearer } = tokensSchema.parse((await logIn(codeOfApp(secret))).json());
    const change = { username: 'viewer', currentPassword: viewer.password, newPassword: 'correct horse battery' };
    const own = await site.manager.client.post(`${api}/auth/password`, { json: change, bearer });
    expect([codeOf(own), codeOf(await post('expired-password', change))]).toEqual([
      'second_factor_required',
      'second_factor_required',
    ]);
    expect(codeOf(await post('expired-password', { ...change, code: '000000' }))).toBe('second_factor_refused');
  });

  it('is counted by method and by refusal', async () => {
    const { secret } = await enable();
    await logIn();
    await logIn(codeOfApp(secret));
    const { text } = await site.manager.client.get('/metrics');
    for (const labels of [
      'method="totp",outcome="success"',
      'method="password",outcome="second_factor_required"',
      'method="password",outcome="second_factor_refused"',
    ]) {
      expect(text).toMatch(new RegExp(`waybill_logins_total\\{${labels},.*\\} [1-9]`, 'u'));
    }
  });
});

describe('the account policy', () => {
  const demand = (name: string) => ({ ...testConfiguration, accountPolicies: [{ name, secondFactor: 'required' }] });
  afterEach(() => site.platform.apply(testConfiguration));

  it('can demand a second factor: without one a login and a refresh are refused until it is set up', async () => {
    const { refreshToken } = tokensSchema.parse((await logIn()).json());
    await site.platform.apply(demand('default'));
    for (const refused of [await logIn(), await post('refresh', { refreshToken })]) {
      expect(refused.json()).toMatchObject({ status: 401, code: 'second_factor_setup_required' });
    }
    const { secret } = await enable();
    expect((await logIn(codeOfApp(secret))).status).toBe(200);
    // What users have set up is no part of the configuration.
    await site.platform.apply(testConfiguration);
    expect(codeOf(await logIn())).toBe('second_factor_required');
  });

  it('has this setting under the name default only', async () => {
    await expect(site.platform.apply(demand('partners'))).rejects.toMatchObject({
      fields: [{ field: 'accountPolicies[0].secondFactor', message: expect.stringContaining('default') }],
    });
  });
});

describe('the end of a second factor', () => {
  it('is the choice of its user, with a code', async () => {
    const { secret, recoveryCodes } = await enable();
    expect(codeOf(await post('second-factor/remove', viewer))).toBe('second_factor_required');
    const renewed = await post('second-factor/recovery-codes', { ...viewer, code: recoveryCodes[0] });
    const fresh = codesSchema.parse(renewed.json()).recoveryCodes;
    expect(codeOf(await logIn(recoveryCodes[1]))).toBe('second_factor_refused');
    expect((await audited('AUD0094A')).at(-1)).toMatchObject({ dataoneUser: 'viewer' });
    expect((await post('second-factor/remove', { ...viewer, code: fresh[0] })).status).toBe(204);
    expect((await audited('AUD0093A')).at(-1)).toMatchObject({
      auditMessage: 'User viewer has removed the second factor of user viewer',
    });
    expect((await logIn()).status).toBe(200);
    expect(codeOf(await post('second-factor/remove', { ...viewer, code: codeOfApp(secret) }))).toBe('entity_unknown');
  });

  it('is the decision of an administrator for a user who has lost everything', async () => {
    const { secret } = await enable();
    const { client } = site.manager;
    const administrator = await logIn(undefined, { username: 'admin', password: 'admin-demo' });
    const { accessToken: admin } = tokensSchema.parse(administrator.json());
    const reset = (bearer: string, name = 'viewer') =>
      client.request('DELETE', `${api}/manager-users/${encodeURIComponent(name)}/second-factor`, { bearer });
    const { accessToken: user } = tokensSchema.parse((await logIn(codeOfApp(secret))).json());
    expect((await reset(user)).status).toBe(403);
    expect((await reset(admin)).status).toBe(204);
    expect((await audited('AUD0093A')).at(-1)).toMatchObject({
      auditMessage: 'User admin has removed the second factor of user viewer',
      entityType: 'Internal User',
    });
    expect([(await reset(admin)).status, (await reset(admin, 'no\0body')).status]).toEqual([404, 400]);
    expect((await logIn()).status).toBe(200);
  });

  it('is not in the power of those who have fewer rights than the user', async () => {
    const admin = { username: 'admin', password: 'admin-demo' };
    const roles = [{ name: 'Keepers', permissions: ['identities:*'] }];
    const keeper = { name: 'keeper', password: 'the keeper of identities', roles: ['Keepers'] };
    await site.platform.apply({ ...testConfiguration, roles, managerUsers: [...testConfiguration.managerUsers, keeper] });
    const login = await logIn(undefined, { username: 'keeper', password: keeper.password });
    const { accessToken: bearer } = tokensSchema.parse(login.json());
    const { secret } = await enable(admin);
    const refused = await site.manager.client.request('DELETE', `${api}/manager-users/admin/second-factor`, { bearer });
    expect(refused.json()).toMatchObject({ status: 403, detail: 'The user admin has more rights than you' });
    expect((await logIn(codeOfApp(secret), admin)).status).toBe(200);
    await site.platform.apply(testConfiguration);
  });
});

it('moves to another key of ACCESS_SECRET_KEYS, and is bound to its user', async () => {
  const { secret } = await enable();
  const ringOf = (entries: string) => openKeyRingSource({ SECRET_KEYS: entries }, { maxAgeMs: 0 })();
  const { db } = site.platform;
  const next = newKeyRingEntry();
  expect(await reencryptSecondFactors(db, ringOf(`${next} ${keys}`))).toBe(1);
  expect(await reencryptSecondFactors(db, ringOf(`${next} ${keys}`))).toBe(0);
  const prove = (entries: string, user: string) =>
    createSecondFactors({ db, ring: () => ringOf(entries), blockSeconds: 1 }).prove(
      userNameSchema.parse(user),
      codeOfApp(secret),
    );
  await expect(prove(keys, 'viewer')).rejects.toMatchObject({ code: 'secret_unreadable' });
  expect(await prove(next, 'viewer')).toBe('totp');
  await stored('DELETE FROM access.recovery_codes');
  await stored(`UPDATE access.second_factors SET user_name = 'admin', last_step = 0`);
  await expect(prove(next, 'admin')).rejects.toMatchObject({ code: 'secret_unreadable' });
});
