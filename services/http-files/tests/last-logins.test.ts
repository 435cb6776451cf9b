import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { beforeEach, expect, test } from 'vitest';
import { onePeer } from './test-peers.ts';

const site = onePeer();

const logIn = async (username: string, password = `${username}-demo`) =>
  (await createHttpClient(site.peer.url).post('/2.0/login/basic', { form: { username, password } })).status;
const query = (sql: string) => site.rig.database.query(sql);
const noted = async () =>
  (
    await query(
      `SELECT u.name FROM directory.user_logins l JOIN directory.partner_users u ON u.id = l.user_id
        WHERE l.last_login_at > now() - interval '1 minute' ORDER BY u.name`,
    )
  ).map(({ name }) => name);

beforeEach(() => query('DELETE FROM directory.user_logins'));

test('the time of a login is noted, and not that of a failed one', async () => {
  expect(await logIn('acme', 'wrong')).toBe(401);
  expect(await logIn('globex')).toBe(200);
  await expect.poll(noted).toEqual(['globex']);
});

test('a login succeeds although its time cannot be noted', async () => {
  await query('ALTER TABLE directory.user_logins RENAME TO away');
  try {
    expect(await logIn('acme')).toBe(200);
  } finally {
    await query('ALTER TABLE directory.away RENAME TO user_logins');
  }
});
