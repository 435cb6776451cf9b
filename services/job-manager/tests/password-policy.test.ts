import { afterEach, describe, expect, test } from 'vitest';
import { testConfiguration } from './test-configuration.ts';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager();
const chosen = 'correct horse battery';
let addresses = 0;

/** Each from a different address, so that no failure delays another. */
const auth = (verb: string, json: object, bearer?: string) => {
  addresses += 1;
  const headers = { 'x-forwarded-for': `198.51.100.${addresses}` };
  const options = { json, headers, ...(bearer !== undefined && { bearer }) };
  return site.manager.client.post(`/platform-application/api/v1/auth/${verb}`, options);
};
const logIn = (password: string, username = 'viewer') => auth('login', { username, password });
const change = (currentPassword: string, newPassword: string, username = 'viewer') =>
  auth('expired-password', { username, currentPassword, newPassword });
const audited = async (code: string) =>
  site.platform.database.query(
    `SELECT payload ->> 'dataoneUser' AS "user", payload ->> 'auditMessage' AS message FROM outbox.events
      WHERE payload ->> 'auditCode' = $1 ORDER BY id`,
    [code],
  );
const requiring = (passwordChangeRequired?: boolean, accountPolicies: object[] = []) => ({
  ...testConfiguration,
  accountPolicies,
  managerUsers: testConfiguration.managerUsers.map((user) =>
    user.name === 'viewer' && passwordChangeRequired !== undefined ? { ...user, passwordChangeRequired } : user,
  ),
});

afterEach(async () => {
  const without = {
    ...testConfiguration,
    managerUsers: testConfiguration.managerUsers.filter(({ name }) => name !== 'viewer'),
  };
  await site.platform.apply(without);
  await site.platform.apply(testConfiguration);
});

describe('a manager who must change the password', () => {
  test('gets no tokens until it is changed with the present one, which ends other logins', async () => {
    const { refreshToken } = (await logIn('viewer-demo')).json() as { refreshToken: string };
    await site.platform.apply(requiring(true));
    const refused = await logIn('viewer-demo');
    expect(refused.json()).toMatchObject({
      status: 401,
      code: 'password_change_required',
      title: 'The password must be changed',
    });
    expect((await auth('refresh', { refreshToken })).json()).toMatchObject({ code: 'password_change_required' });
    expect((await logIn('wrong')).json()).toMatchObject({ code: 'invalid_credentials' });
    expect((await audited('AUD0017A')).at(-1)).toEqual({
      user: 'viewer',
      message: 'User viewer did not log into Waybill: the password must be changed first',
    });
    expect((await change('wrong', chosen)).json()).toMatchObject({ status: 401, code: 'invalid_credentials' });
    expect((await change('viewer-demo', chosen)).status).toBe(204);
    expect((await logIn(chosen)).status).toBe(200);
    expect((await auth('refresh', { refreshToken })).status).toBe(401);
    await site.platform.apply(requiring(true));
    expect((await logIn(chosen)).status).toBe(200);
  });

  test('is refused by the policy with every reason, at the field', async () => {
    const { accessToken } = (await logIn('viewer-demo')).json() as { accessToken: string };
    const body = { currentPassword: 'viewer-demo', newPassword: 'my viewer' };
    const message = 'needs 12 characters or more, and contains the user name';
    for (const refused of [await auth('password', body, accessToken), await change('viewer-demo', 'my viewer')]) {
      expect(refused.json()).toMatchObject({
        status: 400,
        code: 'password_refused',
        detail: `The new password ${message}`,
        errors: [{ field: 'newPassword', message }],
      });
    }
    expect((await change('viewer-demo', 'Password1234')).json()).toMatchObject({ code: 'password_refused' });
    expect((await audited('AUD0011A')).at(-1)).toMatchObject({ message: 'Password change failed for user viewer' });
  });

  test('follows the policy named default, with its history', async () => {
    await site.platform.apply(requiring(undefined, [{ name: 'default', passwords: { minimumLength: 8, history: 3 } }]));
    expect((await change('viewer-demo', 'k7#mQ2pz')).status).toBe(204);
    expect((await change('k7#mQ2pz', 'viewer-demo')).status).toBe(400);
    expect((await change('k7#mQ2pz', 'z9!wE4rt')).status).toBe(204);
    expect((await change('z9!wE4rt', 'k7#mQ2pz')).json()).toMatchObject({
      detail: 'The new password is one of your last 3',
    });
  });

  test.each([
    { username: '' },
    { newPassword: '' },
    { newPassword: 'x'.repeat(1_025) },
    { currentPassword: 7 },
    { username: null },
  ])('cannot send %j', async (wrong) => {
    const body = { username: 'viewer', currentPassword: 'viewer-demo', newPassword: chosen, ...wrong };
    expect((await auth('expired-password', body)).status).toBe(400);
  });
});
