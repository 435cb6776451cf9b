import { userNameSchema } from '@waybill/contracts/values/user-name';
import { openDirectory } from '@waybill/directory/open-directory';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { demoPlatform } from './demo-platform.ts';
import { openTestPlatform, type TestPlatform } from './open-test-platform.ts';

const acme = userNameSchema.parse('acme');

let platform: TestPlatform;

beforeEach(async () => {
  platform = await openTestPlatform();
  await platform.apply(demoPlatform());
});
afterEach(async () => {
  await platform.close();
});

const noted = () =>
  platform.query('SELECT user_id, xmin::text, xmax::text, last_login_at FROM directory.user_logins ORDER BY user_id');
const age = (minutes: number) =>
  platform.query(`UPDATE directory.user_logins SET last_login_at = now() - interval '${minutes} minutes'`);

it('logins of a user are written at most once in five minutes, and nothing is locked in between', async () => {
  const directory = openDirectory({ db: platform.db, cacheMs: 0 });
  const user = (await directory.findPartnerUser(acme))!;
  await Promise.all(Array.from({ length: 5 }, () => directory.recordLogin(user)));
  expect(await noted()).toMatchObject([{ user_id: user.id }]);
  await age(4);
  const before = await noted();
  await directory.recordLogin(user);
  expect(await noted()).toEqual(before);
  await age(6);
  await directory.recordLogin(user);
  const isNew = `SELECT last_login_at > now() - interval '1 minute' AS "isNew" FROM directory.user_logins`;
  expect(await platform.query(isNew)).toEqual([{ isNew: true }]);
});

it('the last login outlives a new configuration, and ends with the user', async () => {
  const directory = openDirectory({ db: platform.db });
  const user = (await directory.findPartnerUser(acme))!;
  await directory.recordLogin(user);
  const before = await noted();
  const changed = demoPlatform();
  Object.assign(changed.actors[0]!.users[0]!, { maxSessions: 7 });
  expect(await platform.apply(changed)).toHaveLength(1);
  expect(await noted()).toEqual(before);
  await platform.query('DELETE FROM directory.partner_users');
  expect(await noted()).toEqual([]);
  await openDirectory({ db: platform.db }).recordLogin(user);
  expect(await noted()).toEqual([]);
});
