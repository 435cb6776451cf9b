import { expect, it } from 'vitest';
import { questionsTo } from './explain-questions.ts';
import { acme, configuration } from './explained-configuration.ts';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager();
const { explain, refusals } = questionsTo(site);

it('says what the account policy demands before a login with the password', async () => {
  const { query } = site.platform.database;
  const withPolicy = (policy: object) => ({
    ...configuration,
    accountPolicies: [{ name: 'default', ...policy }],
  });
  const users = acme.users.map((user) => (user.name === 'acme' ? { ...user, passwordChangeRequired: true } : user));
  await site.platform.apply({ ...configuration, actors: [{ ...acme, users }] });
  expect(await refusals({})).toEqual([
    'account: User acme must change the password; it can be changed over HTTP, or at the login with keyboard-interactive',
  ]);
  const overHttp = { protocol: 'HTTP', server: 'http-server' };
  expect(await refusals(overHttp)).toEqual([
    'account: User acme must change the password; it can be changed over HTTP',
  ]);

  await site.platform.apply(withPolicy({ passwords: { expiresAfterDays: 30 } }));
  await query("UPDATE directory.partner_users SET password_changed_at = now() - interval '29 days'");
  const demandsNothing = {
    rule: 'account',
    name: 'default',
    allows: true,
    why: 'The account policy default demands nothing of user acme first',
  };
  expect((await explain({})).rules).toContainEqual(demandsNothing);
  await query("UPDATE directory.partner_users SET password_changed_at = now() - interval '30 days'");
  expect(await refusals(overHttp)).toEqual([
    'account: The password of user acme has expired; it can be changed over HTTP',
  ]);

  await site.platform.apply(withPolicy({ partnerSecondFactor: 'required' }));
  expect(await refusals({})).toEqual([
    'account: The account policy default demands a second factor, and user acme has set none up',
  ]);
  await query("INSERT INTO access.partner_second_factors (user_name, key_id, ciphertext) VALUES ('acme', 'a', 'b')");
  expect(await refusals({})).toHaveLength(1);
  await query('UPDATE access.partner_second_factors SET confirmed_at = now()');
  expect((await explain({})).rules).toContainEqual(demandsNothing);
  await query('DELETE FROM access.partner_second_factors');
  await site.platform.apply(configuration);
});
