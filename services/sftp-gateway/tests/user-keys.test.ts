import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { runSftp, type SftpScript } from '@waybill/test-kit/run-sftp';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGatewayRig, type GatewayRig, type RunningGateway } from './gateway-rig.ts';

const run = promisify(execFile);
const kinds = { ed25519: [], ecdsa: ['-b', '384'], rsa: ['-b', '2048'], expired: [], timed: [], unknown: [] };
const password = 'secret-of-the-user';

let rig: GatewayRig;
let gateway: RunningGateway;
let folder: Awaited<ReturnType<typeof createTestFolder>>;

const fileOf = (name: keyof typeof kinds) => join(folder.path, name);

beforeAll(async () => {
  folder = await createTestFolder();
  await Promise.all(
    Object.entries(kinds).map(([name, options]) => {
      const type = name in { ecdsa: 1, rsa: 1 } ? name : 'ed25519';
      return run('ssh-keygen', ['-q', '-t', type, ...options, '-N', '', '-C', name, '-f', join(folder.path, name)]);
    }),
  );
  const line = (name: keyof typeof kinds) => readFile(`${fileOf(name)}.pub`, 'utf8');
  const publicKeys = [
    await line('ed25519'),
    await line('ecdsa'),
    await line('rsa'),
    { key: await line('expired'), expires: new Date(Date.now() - 1_000).toISOString() },
    { key: await line('timed'), expires: new Date(Date.now() + 3_600_000).toISOString() },
  ];
  const users = ['password', 'key', 'both', 'either'].map((authentication) => ({
    name: authentication,
    authentication,
    password,
    publicKeys,
  }));
  rig = await createGatewayRig({ users });
  gateway = await rig.start('peer1');
});
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  await rig?.[Symbol.asyncDispose]();
  await folder?.remove();
});

const login = (user: string, credentials: Partial<SftpScript> = {}) =>
  runSftp({ port: gateway.sftpPort, user, commands: ['pwd'], ...credentials });
const withBoth = { PreferredAuthentications: 'publickey,password' };

describe('the keys of a user', () => {
  it.each<[keyof typeof kinds, Record<string, string>]>([
    ['ed25519', {}],
    ['ecdsa', {}],
    ['rsa', { PubkeyAcceptedAlgorithms: 'rsa-sha2-256' }],
    ['rsa', { PubkeyAcceptedAlgorithms: 'rsa-sha2-512' }],
    ['timed', {}],
  ])('can all log in: %s %o', async (name, sshOptions) => {
    expect(await login('either', { identityFile: fileOf(name), sshOptions })).toMatchObject({ exitCode: 0 });
  });

  it('log in from the networks of the user alone', async () => {
    const define = (definition: string) =>
      rig.database.query(`UPDATE directory.partner_users SET definition = ${definition} WHERE name = 'either'`);
    const attempt = async () => (await login('either', { identityFile: fileOf('ed25519') })).exitCode;
    try {
      await define(`definition || '{"networks": ["10.0.0.0/8", "2001:db8::/32"]}'`);
      expect(await attempt()).toBe(255);
      await define(`definition || '{"networks": ["10.0.0.0/8", "127.0.0.0/8"]}'`);
      expect(await attempt()).toBe(0);
    } finally {
      await define(`definition - 'networks'`);
    }
  });

  it.each<[string, keyof typeof kinds, Record<string, string>]>([
    ['that has expired', 'expired', {}],
    ['of somebody else', 'unknown', {}],
    ['that signs with SHA-1', 'rsa', { PubkeyAcceptedAlgorithms: 'ssh-rsa' }],
  ])('no key %s', async (_name, name, sshOptions) => {
    expect(await login('either', { identityFile: fileOf(name), sshOptions })).toMatchObject({ exitCode: 255 });
  });

  it('show their last use, whether or not the login succeeded', async () => {
    const uses = () =>
      rig.database.query(
        `SELECT split_part(key, ' ', 2) AS blob FROM directory.key_uses k JOIN directory.partner_users u ON u.id = user_id
          WHERE u.name = 'both'`,
      );
    expect(await uses()).toEqual([]);
    await login('both', { identityFile: fileOf('ed25519') });
    const [used] = await waitFor(
      async () => {
        const rows = await uses();
        return rows.length > 0 ? rows : undefined;
      },
      { what: 'the use to be written' },
    );
    expect(await readFile(`${fileOf('ed25519')}.pub`, 'utf8')).toContain(String(used?.['blob']));
  });
});

describe('a user who logs in with', () => {
  it.each([
    ['password', 'the password', true],
    ['password', 'a key', false],
    ['key', 'the password', false],
    ['key', 'a key', true],
    ['both', 'the password', false],
    ['both', 'a key', false],
    ['either', 'the password', true],
    ['either', 'a key', true],
  ])('`%s`: %s alone: %s', async (user, credential, opens) => {
    const credentials = credential === 'a key' ? { identityFile: fileOf('ed25519') } : { password };
    expect((await login(user, credentials)).exitCode).toBe(opens ? 0 : 255);
  });

  it.each(['password', 'keyboard-interactive'])('`both`: a key and then the password, by %s', async (method) => {
    const sshOptions = { PreferredAuthentications: `publickey,${method}`, LogLevel: 'VERBOSE' };
    const outcome = await login('both', { identityFile: fileOf('ed25519'), password, sshOptions });
    expect(outcome.stderr).toMatch(/Authenticated using "publickey" with partial success/u);
    expect(outcome.exitCode).toBe(0);
  });

  it.each<[string, Partial<SftpScript>]>([
    ['the wrong password after the key', { password: 'wrong' }],
    ['the password after a key that has expired', { password, identityFile: 'expired' }],
    ['the password before the key', { password, sshOptions: { PreferredAuthentications: 'password,publickey' } }],
  ])('`both`: not %s', async (_name, { identityFile = 'ed25519', ...more }) => {
    const file = fileOf(identityFile as keyof typeof kinds);
    const outcome = await login('both', { identityFile: file, sshOptions: withBoth, ...more });
    expect(outcome.exitCode).toBe(255);
  });

  it('anything, or does not exist: the server gives the same responses until a login succeeds', async () => {
    const offers = ['password', 'key', 'both', 'either', 'nobody'].map(async (user) => {
      const credentials = {
        password: 'wrong',
        identityFile: fileOf('unknown'),
        sshOptions: { ...withBoth, LogLevel: 'DEBUG1' },
      };
      const { stderr } = await login(user, credentials);
      return stderr.split('\n').filter((line) => /Authentications that can continue|partial/u.test(line));
    });
    const [first, ...others] = await Promise.all(offers);
    expect(first?.length).toBeGreaterThan(1);
    for (const other of others) expect(other).toEqual(first);
  });
});
