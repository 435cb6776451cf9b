import { runSftp } from '@waybill/test-kit/run-sftp';
import { waitFor } from '@waybill/test-kit/wait-for';
import { beforeEach, expect, it } from 'vitest';
import { oneGateway } from './test-gateways.ts';

const peer = oneGateway();

const login = (password = 'globex-demo') =>
  runSftp({ port: peer.gateway.sftpPort, user: 'globex', password, commands: ['pwd'] });
const query = (sql: string) => peer.rig.database.query(sql);
const noted = () =>
  query(
    `SELECT u.name, l.xmin::text, l.last_login_at > now() - interval '1 minute' AS "isNew"
       FROM directory.user_logins l JOIN directory.partner_users u ON u.id = l.user_id`,
  );

beforeEach(() => query('DELETE FROM directory.user_logins'));

it('the time of a login is noted, at most once in five minutes, and not that of a failed one', async () => {
  expect((await login('wrong')).exitCode).toBe(255);
  expect(await noted()).toEqual([]);
  expect((await login()).exitCode).toBe(0);
  await waitFor(async () => (await noted()).length === 1, { what: 'the time of the login' });
  await query(`UPDATE directory.user_logins SET last_login_at = now() - interval '4 minutes'`);
  const before = await noted();
  // Beyond the second for which a process remembers that it has noted a login.
  const startedAt = Date.now();
  await waitFor(() => Date.now() - startedAt > 1_100, { what: 'the end of the cache' });
  expect((await login()).exitCode).toBe(0);
  await query(`SELECT pg_sleep(0.5)`);
  expect(await noted()).toEqual(before);
  await query(`UPDATE directory.user_logins SET last_login_at = now() - interval '6 minutes'`);
  await waitFor(() => Date.now() - startedAt > 3_000, { what: 'the end of the cache' });
  expect((await login()).exitCode).toBe(0);
  await waitFor(async () => (await noted())[0]?.['isNew'] === true, { what: 'the time of the later login' });
  expect(await noted()).toMatchObject([{ name: 'globex' }]);
});

it('a login succeeds although its time cannot be noted', async () => {
  await query('ALTER TABLE directory.user_logins RENAME TO away');
  try {
    expect((await login()).exitCode).toBe(0);
  } finally {
    await query('ALTER TABLE directory.away RENAME TO user_logins');
  }
});
