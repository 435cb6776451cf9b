import { reencryptSecondFactors } from '@waybill/access/second-factors/sealed-totp-secret';
import { createSecondFactors } from '@waybill/access/second-factors/second-factors';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { newKeyRingEntry } from '@waybill/secrets/key-ring';
import { openKeyRingSource } from '@waybill/secrets/key-ring-source';
import { codeOfApp } from '@waybill/test-kit/values/authenticator-app';
import { afterEach, describe, expect, it } from 'vitest';
import { codeOf, codesSchema, secondFactorSite, tokensSchema } from './second-factor-site.ts';
import { testConfiguration } from './test-configuration.ts';
import { platformAccess, runWaybill } from './waybill-command.ts';

const { site, keys, viewer, api, post, stored, logIn, audited, enable } = secondFactorSite();

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
    expect(codeOf(await post('second-factor/remove', { ...viewer, code: codeOfApp(secret) }))).toBe(
      'second_factor_absent',
    );
  });

  it('is the decision of an administrator for a user who has lost everything', async () => {
    const { secret } = await enable();
    const { client } = site.manager;
    const administrator = await logIn(undefined, { username: 'admin', password: 'admin-demo' });
    const { accessToken: admin } = tokensSchema.parse(administrator.json());
    const reset = (bearer: string, name = 'viewer') =>
      client.request('DELETE', `${api}/manager-users/${encodeURIComponent(name)}/second-factor`, { bearer });
    const { accessToken: user } = tokensSchema.parse((await logIn(codeOfApp(secret))).json());
    const shown = (bearer: string, name: string) =>
      client.get(`${api}/manager-users/${encodeURIComponent(name)}/second-factor`, { bearer });
    expect((await shown(user, 'viewer')).status).toBe(403);
    expect((await shown(admin, 'viewer')).json()).toEqual({ active: true, since: expect.any(String) });
    expect((await shown(admin, 'admin')).json()).toEqual({ active: false, since: null });
    expect([(await shown(admin, 'ghost')).status, (await shown(admin, 'no\0body')).status]).toEqual([404, 400]);
    expect((await reset(user)).status).toBe(403);
    expect((await reset(admin)).status).toBe(204);
    expect((await audited('AUD0093A')).at(-1)).toMatchObject({
      auditMessage: 'User admin has removed the second factor of user viewer',
      entityType: 'Internal User',
    });
    expect([(await reset(admin)).status, (await reset(admin, 'no\0body')).status]).toEqual([404, 400]);
    expect((await logIn()).status).toBe(200);

    await enable();
    await using access = await platformAccess({ url: site.manager.url, admin });
    expect(await runWaybill('managers', 'reset-second-factor', 'viewer', ...access.options)).toEqual({
      code: 0,
      out: 'The second factor of viewer was removed\n',
    });
    expect((await logIn()).status).toBe(200);
  });

  it('is not in the power of those who have fewer rights than the user', async () => {
    const admin = { username: 'admin', password: 'admin-demo' };
    const roles = [{ name: 'Keepers', permissions: ['identities:*'] }];
    const keeper = { name: 'keeper', password: 'the keeper of identities', roles: ['Keepers'] };
    await site.platform.apply({
      ...testConfiguration,
      roles,
      managerUsers: [...testConfiguration.managerUsers, keeper],
    });
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
    createSecondFactors({ db, ring: () => ringOf(entries), blockSeconds: 1, of: 'managers' }).prove(
      userNameSchema.parse(user),
      codeOfApp(secret),
    );
  await expect(prove(keys, 'viewer')).rejects.toMatchObject({ code: 'secret_unreadable' });
  expect(await prove(next, 'viewer')).toBe('totp');
  await stored('DELETE FROM access.recovery_codes');
  await stored(`UPDATE access.second_factors SET user_name = 'admin', last_step = 0`);
  await expect(prove(next, 'admin')).rejects.toMatchObject({ code: 'secret_unreadable' });
});
