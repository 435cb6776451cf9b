import { expect } from 'vitest';
import { z } from 'zod';
import { connectSftp } from '../two-doors/sftp-door.ts';
import { type Doors, doneBefore, repeated, rowOf, type Rows } from './row.ts';
import { logInOverHttp, logInOverSsh } from './rows-of-logins.ts';

const row = rowOf('management', 'admin');
const ofFresh = rowOf('management', 'fresh');
const ofViewer = rowOf('management', 'viewer');
const withoutToken = rowOf('management', '');
const api = '/platform-application/api/v1';
const sessions = `${api}/infrastructure/clusters/server-sessions`;
const bans = `${api}/infrastructure/login-bans`;
const freeze = `${api}/infrastructure/users/initech/freeze`;
const server = { clusterName: 'cluster1', protocol: 'SFTP', serverName: 'sftp-server' };
const password = 'correct horse battery';
const initech = { username: 'initech', password: 'initech-demo' };
const pairSchema = z.object({ accessToken: z.string(), refreshToken: z.string() });

/** The tokens of the user of the rows, who logs in, renews them and logs out. */
let tokens = { accessToken: '', refreshToken: '' };

async function setFirstPassword({ platform: { printed }, manager }: Doors): Promise<void> {
  const [, code] = /--user fresh --code (\S+)/u.exec(printed()) ?? [];
  const json = { username: 'fresh', code, newPassword: password };
  const { status, text } = await manager.post(`${api}/auth/first-password`, { json });
  if (status >= 300) throw new Error(`the first password was refused with ${status}: ${text}`);
}

const logIn = ({ manager }: Doors, json: { readonly username: string; readonly password: string }) =>
  manager.post(`${api}/auth/login`, { json });

async function renew({ manager }: Doors): Promise<void> {
  const { refreshToken } = tokens;
  tokens = pairSchema.parse((await manager.post(`${api}/auth/refresh`, { json: { refreshToken } })).json());
}

async function guess(doors: Doors): Promise<void> {
  for (let index = 0; index < 5; index += 1) await logIn(doors, { username: 'guesser', password: 'guess' });
}

async function terminateSession({ platform: { sftpPort }, manager, token }: Doors): Promise<void> {
  await using _connection = await connectSftp({ port: sftpPort, user: 'globex', password: 'globex-demo' });
  const ask = await manager.get(sessions, { bearer: token, query: { userName: 'globex' } });
  const [session] = z
    .object({ sessions: z.array(z.looseObject({ sessionId: z.string(), peerName: z.string() })).length(1) })
    .parse(ask.json()).sessions;
  const json = { ...server, peerName: session?.peerName, sessionId: session?.sessionId };
  const { status, text } = await manager.request('DELETE', sessions, { bearer: token, json });
  if (status !== 200) throw new Error(`the session was not ended: ${status} ${text}`);
}

/** Logins, tokens and passwords of managers. */
const rowsOfManagers: Rows = {
  'a user logs in': ofViewer('AUD0007A LOGIN manager1', doneBefore, { authentication: 'password' }),
  'an administrator logs in with a wrong password': row(
    'AUD0008A LOGIN manager1 invalid_credentials',
    (doors) => logIn(doors, { username: 'admin', password: 'wrong' }),
    { authentication: 'password' },
  ),
  'the guessing of a password is ended': rowOf('management', 'guesser')('AUD0012A LOGIN *', guess),
  'a first password is set': ofFresh('AUD0010A PASSWORD_CHANGE fresh', setFirstPassword),
  'a first password is not set twice': ofFresh('AUD0011A PASSWORD_CHANGE fresh', ({ manager }) =>
    manager.post(`${api}/auth/first-password`, {
      json: { username: 'fresh', code: 'wrong', newPassword: password },
    }),
  ),
  'tokens are renewed': ofFresh('AUD0013A LOGIN manager1', async (doors) => {
    tokens = pairSchema.parse((await logIn(doors, { username: 'fresh', password })).json());
    await renew(doors);
  }),
  'a user logs out': ofFresh('AUD0009A LOGOUT manager1', ({ manager }) =>
    manager.post(`${api}/auth/logout`, { json: { refreshToken: tokens.refreshToken } }),
  ),
  'tokens are not renewed after the logout': withoutToken(
    'AUD0014A LOGIN refreshLogin refresh_token_invalid',
    ({ manager }) => manager.post(`${api}/auth/refresh`, { json: { refreshToken: tokens.refreshToken } }),
  ),
  'a password is not changed with a wrong one': row('AUD0011A PASSWORD_CHANGE admin', ({ manager, token }) =>
    manager.post(`${api}/auth/password`, {
      bearer: token,
      json: { currentPassword: 'wrong', newPassword: 'another-password' },
    }),
  ),
};

/** What an administrator does about sessions, users and bans. */
const rowsOfPartners: Rows = {
  'a session is ended': row('AUD0033A SERVER_LOGOUT sftp-server', terminateSession, {
    session: expect.stringMatching(/^[0-9A-F]{32}$/u),
  }),
  'a session that does not exist is not ended': row(
    'AUD0015A MODIFY terminateServerSession session_unknown',
    ({ manager, token }) =>
      manager.request('DELETE', sessions, {
        bearer: token,
        json: { ...server, peerName: 'peer1', sessionId: '0'.repeat(64) },
      }),
  ),
  'a session is ended by a user whose role does not permit it': ofViewer(
    'AUD0015A MODIFY terminateServerSession not_permitted',
    ({ manager, viewerToken }) => manager.request('DELETE', sessions, { bearer: viewerToken, json: {} }),
  ),
  'a user is frozen': row('AUD0037A MODIFY initech', ({ manager, token }) => manager.put(freeze, { bearer: token })),
  'a frozen user is not let in over SFTP': rowOf('sftp', 'initech')(
    'AUD0032A SERVER_LOGIN sftp-server invalid_credentials',
    (doors) => logInOverSsh(doors, initech),
    { authentication: 'password' },
  ),
  'a frozen user is not let in over HTTP': rowOf('http', 'initech')(
    'AUD0032A SERVER_LOGIN http-server invalid_credentials',
    (doors) => logInOverHttp(doors, initech),
    { authentication: 'password' },
  ),
  'a user is thawed': row('AUD0038A MODIFY initech', ({ manager, token }) => manager.delete(freeze, { bearer: token })),
  'a user who does not exist is not frozen': row('AUD0015A MODIFY freezeUser user_unknown', ({ manager, token }) =>
    manager.put(`${api}/infrastructure/users/none/freeze`, { bearer: token }),
  ),
  // Of the user who guessed, over SFTP, over HTTP and at the management interfaces.
  'bans are lifted': repeated(
    row('AUD0036A DELETE 127.0.0.1', ({ manager, token }) => manager.delete(`${bans}/127.0.0.1`, { bearer: token })),
    3,
  ),
  'a ban that does not exist is not lifted': row('AUD0015A MODIFY liftLoginBan ban_unknown', ({ manager, token }) =>
    manager.delete(`${bans}/192.0.2.1`, { bearer: token }),
  ),
};

/** Access at the management interfaces, in this order. The bans began with the logins. */
export const rowsOfAccess: Rows = { ...rowsOfManagers, ...rowsOfPartners };
