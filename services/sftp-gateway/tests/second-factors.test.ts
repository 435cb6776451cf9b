import { createSecondFactors } from '@waybill/access/second-factors/second-factors';
import { attemptedUserName } from '@waybill/contracts/values/user-name';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { newKeyRingEntry, parseKeyRing } from '@waybill/secrets/key-ring';
import { runSftp } from '@waybill/test-kit/run-sftp';
import { codeOfApp } from '@waybill/test-kit/values/authenticator-app';
import { beforeEach, describe, expect, it } from 'vitest';
import { requestUserauth, userauthRequest } from './channel-client.ts';
import { HandshakeClient, message, string } from './handshake-client.ts';
import { twoGateways } from './test-gateways.ts';

const keys = newKeyRingEntry();
const password = 'secret-of-the-user';
const users = ['ann', 'bob', 'cleo'].map((name) => ({ name, password }));
const peers = twoGateways({
  rig: { users },
  env: { ACCESS_SECRET_KEYS: keys, SFTP_LOGIN_FAILURES_PER_USER: '100', SFTP_LOGIN_FAILURES_PER_ADDRESS: '1000' },
});
const infoRequest = 60;
const infoResponse = 61;

const setPolicy = (partnerSecondFactor: string) =>
  peers.rig.database.query(
    `INSERT INTO directory.account_policies (name, definition)
     VALUES ('default', jsonb_build_object('name', 'default', 'partnerSecondFactor', '${partnerSecondFactor}'))
     ON CONFLICT (name) DO UPDATE SET definition = excluded.definition`,
  );

/** Sets up a second factor, as over HTTP. */
async function enrol(name: string) {
  const db = connectPostgres({ url: peers.rig.database.url, applicationName: 'test', poolSize: 1 });
  try {
    const ring = () => parseKeyRing(keys, 'ACCESS_SECRET_KEYS');
    const factors = createSecondFactors({ db, ring, blockSeconds: 300, of: 'partners' });
    const { secret } = await factors.begin(attemptedUserName(name));
    const codes = await factors.confirm(attemptedUserName(name), codeOfApp(secret, -1), () => Promise.resolve());
    return { secret, codes: codes ?? [] };
  } finally {
    await db.destroy();
  }
}

const sftp = (user: string, method: string, { code = '', at = peers.first } = {}) =>
  runSftp({
    port: at.sftpPort,
    user,
    commands: ['ls /'],
    password,
    code,
    sshOptions: { PreferredAuthentications: method, NumberOfPasswordPrompts: '1', LogLevel: 'INFO' },
  });

beforeEach(async () => {
  await peers.rig.database.query('DELETE FROM access.partner_second_factors');
  await setPolicy('optional');
});

describe('a user with a second factor', () => {
  it('logs in with the OpenSSH client: the password, then a code, which works once on all gateways', async () => {
    const { secret, codes } = await enrol('ann');
    const code = codeOfApp(secret);
    const first = await sftp('ann', 'keyboard-interactive', { code });
    expect([first.exitCode, first.stdout], first.stderr).toEqual([0, expect.stringContaining('data')]);
    expect((await sftp('ann', 'keyboard-interactive', { code, at: peers.second })).exitCode).toBe(255);
    const recovery = codes[0] ?? '';
    expect((await sftp('ann', 'keyboard-interactive', { code: recovery, at: peers.second })).exitCode).toBe(0);
    expect((await sftp('ann', 'keyboard-interactive', { code: recovery })).exitCode).toBe(255);
  });

  it('is asked by keyboard-interactive where the client has sent the password by the method password', async () => {
    const { codes } = await enrol('ann');
    const [code = ''] = codes;
    expect((await sftp('ann', 'password,keyboard-interactive', { code })).exitCode).toBe(0);
    expect((await sftp('ann', 'password', { code: codes[1] ?? '' })).exitCode).toBe(255);
  });

  it('is not asked where the policy does not allow second factors, and others never are', async () => {
    await enrol('ann');
    expect((await sftp('bob', 'password')).exitCode).toBe(0);
    await setPolicy('off');
    expect((await sftp('ann', 'password')).exitCode).toBe(0);
  });
});

it('a user without a second factor is told to set one up where the policy demands it', async () => {
  await setPolicy('required');
  const { exitCode, stderr } = await sftp('cleo', 'password');
  expect([exitCode, stderr]).toEqual([255, expect.stringContaining('set one up over HTTP')]);
  const wrong = await runSftp({ port: peers.first.sftpPort, user: 'cleo', password: 'wrong', commands: ['ls /'] });
  expect(wrong.stderr).not.toContain('second factor');
});

/** A client of raw packets, which has sent the password by the method password. */
async function afterPassword(user: string, given: string) {
  const client = await HandshakeClient.open(peers.first.sftpPort);
  await client.exchangeKeys();
  await requestUserauth(client);
  client.send(userauthRequest(user, 'password', Buffer.of(0), string(given)));
  const failure = await client.receive(message.userauthFailure);
  return { client, isPartial: failure.at(-1) === 1 };
}

const answer = (...texts: string[]): Buffer => {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(texts.length);
  return Buffer.concat([Buffer.of(infoResponse), count, ...texts.map((text) => string(text))]);
};
const interactive = (user: string) => userauthRequest(user, 'keyboard-interactive', string(''), string(''));

describe('a hostile client', () => {
  it('is not told that a code is due before the password is right', async () => {
    await enrol('ann');
    for (const given of ['wrong', '']) {
      const { client, isPartial } = await afterPassword('ann', given);
      await using _client = client;
      expect(isPartial).toBe(false);
      client.send(interactive('ann'));
      expect((await client.receive(infoRequest)).toString()).toContain('Password: ');
    }
  });

  it('cannot take the proved password to another user', async () => {
    await enrol('ann');
    await enrol('bob');
    const { client, isPartial } = await afterPassword('ann', password);
    await using _client = client;
    expect(isPartial).toBe(true);
    client.send(interactive('bob'));
    expect((await client.receiveAny('the end')).readUInt8(0)).toBe(message.disconnect);
  });

  it.each([
    ['no response', []],
    ['an empty code', ['']],
    ['a huge code', ['x'.repeat(5_000)]],
    ['two codes', ['000000', '000000']],
    ['a wrong code', ['000000']],
  ])('cannot skip the code with %s; the right one still opens a session', async (_what, texts) => {
    const { codes } = await enrol('ann');
    const { client } = await afterPassword('ann', password);
    await using _client = client;
    const respond = async (...responses: string[]): Promise<number> => {
      client.send(interactive('ann'));
      expect((await client.receive(infoRequest)).toString()).toContain('Code of the second factor: ');
      client.send(answer(...responses));
      return (await client.receiveAny('the answer')).readUInt8(0);
    };
    expect(await respond(...texts)).toBe(message.userauthFailure);
    expect(await respond(codes[0] ?? '')).toBe(message.userauthSuccess);
  });
});
