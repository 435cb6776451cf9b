import { readFile } from 'node:fs/promises';
import { Client } from 'ssh2';
import { expect } from 'vitest';
import { type Doors, doneBefore, repeated, rowOf, type Rows } from './row.ts';

const overSftp = rowOf('sftp', 'acme');
const overHttp = rowOf('http', 'acme');
const method = { authentication: 'password' };
const session = { session: expect.stringMatching(/./u) };

const guesser = { username: 'guesser', password: 'guess' };

/** Logs in over SFTP and out again; resolves if it is refused too. */
export async function logInOverSsh(
  { platform }: Doors,
  login: { readonly username: string; readonly password?: string; readonly privateKey?: string },
): Promise<void> {
  const client = new Client();
  const closed = new Promise<void>((resolve) => client.once('close', () => resolve()));
  client.on('ready', () => client.end());
  // A refusal is the expected outcome.
  client.on('error', () => {});
  client.connect({ host: '127.0.0.1', port: platform.sftpPort, ...login });
  await closed;
}

/** Logs in over HTTP, perhaps in vain. */
export const logInOverHttp = ({ platform }: Doors, form: { readonly username: string; readonly password: string }) =>
  platform.http().post('/2.0/login/basic', { form });

/** Guesses as often as the limits of the test allow. */
async function guess(logIn: (login: { username: string; password: string }) => Promise<unknown>): Promise<void> {
  for (let index = 0; index < 3; index += 1) await logIn(guesser);
}

/** Logins and logouts over SFTP and HTTP, and bans, in this order. */
export const rowsOfLogins: Rows = {
  'with a password': overSftp('AUD0030A SERVER_LOGIN sftp-server', doneBefore, { ...method, ...session }),
  'with a key': overSftp(
    'AUD0030A SERVER_LOGIN sftp-server',
    async (doors) => {
      const privateKey = await readFile(doors.platform.acmeKeyFile, 'utf8');
      await logInOverSsh(doors, { username: 'acme', privateKey });
    },
    {
      authentication: 'publickey',
      keyFingerprint: expect.stringMatching(/^SHA256:[A-Za-z0-9+/]{43}$/u),
      ...session,
    },
  ),
  'the session of the key is logged out': overSftp('AUD0031A SERVER_LOGOUT sftp-server', doneBefore, session),
  'with a wrong password over SFTP': overSftp(
    'AUD0032A SERVER_LOGIN sftp-server invalid_credentials',
    (doors) => logInOverSsh(doors, { username: 'acme', password: 'wrong' }),
    method,
  ),
  'with a password over HTTP': repeated(
    overHttp('AUD0030A SERVER_LOGIN http-server', doneBefore, { ...method, ...session }),
    2,
  ),
  'with a wrong password over HTTP': overHttp(
    'AUD0032A SERVER_LOGIN http-server invalid_credentials',
    (doors) => logInOverHttp(doors, { username: 'acme', password: 'wrong' }),
    method,
  ),
  'a user logs out over HTTP': rowOf('http', 'globex')(
    'AUD0031A SERVER_LOGOUT http-server',
    async ({ platform }) => {
      const client = platform.http();
      await client.post('/2.0/login/basic', { form: { username: 'globex', password: 'globex-demo' } });
      await client.post('/2.0/logout');
    },
    session,
  ),
  // The ban is of an address and a user, over all connections.
  'the guessing of a password over SFTP is ended': rowOf('platform', 'guesser')(
    'AUD0035A SERVER_LOGIN sftp-server',
    (doors) => guess((login) => logInOverSsh(doors, login)),
    { address: '127.0.0.1' },
  ),
  'a banned user is turned away over SFTP': rowOf('sftp', 'guesser')(
    'AUD0034A SERVER_LOGIN sftp-server too_many_requests',
    (doors) => logInOverSsh(doors, guesser),
    { authentication: 'password', reason: expect.any(String) },
  ),
  'the guessing of a password over HTTP is ended': rowOf('http', 'guesser')(
    'AUD0035A SERVER_LOGIN http-server',
    (doors) => guess((login) => logInOverHttp(doors, login)),
  ),
  'a banned user is turned away over HTTP': rowOf('http', 'guesser')(
    'AUD0034A SERVER_LOGIN http-server too_many_requests',
    (doors) => logInOverHttp(doors, guesser),
    { reason: expect.any(String) },
  ),
};
