import { codeOfApp } from '@waybill/test-kit/values/authenticator-app';
import { describe, expect, it } from 'vitest';
import { codeOf, codesSchema, secondFactorSite, tokensSchema } from './second-factor-site.ts';
import { startTestJobManager } from './start-test-job-manager.ts';

const { site, viewer, api, post, stored, begin, logIn, audited, enable } = secondFactorSite();

describe('setting up', () => {
  it('changes nothing until a code confirms it; then logins need a code, and the former ones have ended', async () => {
    const { accessToken: bearer, refreshToken } = tokensSchema.parse((await logIn()).json());
    const show = () => site.manager.client.get(`${api}/auth/second-factor`, { bearer });
    const secret = await begin();
    expect((await show()).json()).toEqual({
      available: true,
      active: false,
      required: false,
      since: null,
      recoveryCodesLeft: 0,
    });
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
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401]);
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
    expect((await audited('AUD0007A')).at(-1)).toMatchObject({
      context: { authentication: 'password, recovery code' },
    });
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
