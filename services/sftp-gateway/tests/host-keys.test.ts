import { generateKeyPairSync } from 'node:crypto';
import { chmod, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { runSftp } from '@waybill/test-kit/run-sftp';
import { waitFor } from '@waybill/test-kit/wait-for';
import ssh2 from 'ssh2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadHostKeys } from '../src/adapters/follow-host-keys.ts';
import { generateEd25519Key } from '../src/adapters/host-key-store.ts';
import { hostKeyKinds } from '../src/config.ts';
import { parseHostKey } from '../src/sftp/server/host-key.ts';
import { createGatewayRig, type GatewayRig } from './gateway-rig.ts';

let folder: Awaited<ReturnType<typeof createTestFolder>>;
let rig: GatewayRig;

beforeAll(async () => {
  [folder, rig] = await Promise.all([createTestFolder(), createGatewayRig()]);
});
afterAll(async () => {
  await rig?.[Symbol.asyncDispose]();
  await folder?.remove();
});

describe('the host keys', () => {
  it('are generated once, readable only by the owner, and the same for all gateways that start at once', async () => {
    const shared = join(folder.path, 'shared');
    const load = async () => (await loadHostKeys(shared, hostKeyKinds)).map(({ privateKey }) => privateKey);
    const loaded = await Promise.all(Array.from({ length: 3 }, load));
    for (const keys of loaded) expect(keys).toEqual(loaded[0]);
    expect(await load()).toEqual(loaded[0]);
    const names = await readdir(shared);
    expect(names.toSorted()).toEqual(['ssh_host_ecdsa_key', 'ssh_host_ed25519_key', 'ssh_host_rsa_key']);
    for (const name of names) expect((await stat(join(shared, name))).mode & 0o777).toBe(0o600);
  });

  it.each<[string, () => string, RegExp]>([
    ['no key at all', () => 'no key', /ssh_host_ed25519_key is not a private key of the server/u],
    ['a public key', () => generateEd25519Key().public, /it is a public one/u],
    ['a key of another type', () => ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 }).private, /another type/u],
    ['a short RSA key', () => shortRsaKey(), /RSA keys need 2048 bits or more/u],
    ['a key with a passphrase', () => lockedKey(), /is not a private key of the server: .*passphrase/iu],
  ])('%s is refused with its path, and not changed', async (_name, make, message) => {
    const broken = join(folder.path, 'broken');
    await rm(broken, { recursive: true, force: true });
    await loadHostKeys(broken, ['ed25519']);
    const path = join(broken, 'ssh_host_ed25519_key');
    const text = make();
    await writeFile(path, text);
    await expect(loadHostKeys(broken, ['ed25519'])).rejects.toThrow(message);
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it.each(['644', '604', '660'])('a file that others may read or change (mode %s) is refused', async (mode) => {
    const open = join(folder.path, `open-${mode}`);
    await loadHostKeys(open, ['ed25519']);
    await chmod(join(open, 'ssh_host_ed25519_key'), mode);
    await expect(loadHostKeys(open, ['ed25519'])).rejects.toThrow(/can be read or changed by others/u);
  });
});

describe('a client of OpenSSH', () => {
  const login = (port: number, sshOptions: Readonly<Record<string, string>>) =>
    runSftp({ port, user: 'globex', password: 'globex-demo', commands: ['pwd'], sshOptions });

  it.each(['rsa-sha2-256', 'rsa-sha2-512'])('knows the server by its RSA key, signing with %s', async (algorithm) => {
    await using gateway = await rig.start('rsa', { SFTP_HOST_KEY_TYPES: 'rsa' });
    expect(await login(gateway.sftpPort, { HostKeyAlgorithms: algorithm })).toMatchObject({ exitCode: 0 });
  });

  it('is never offered SHA-1, although there is an RSA key', async () => {
    await using gateway = await rig.start('rsa', { SFTP_HOST_KEY_TYPES: 'rsa' });
    const refused = await login(gateway.sftpPort, { HostKeyAlgorithms: 'ssh-rsa' });
    expect(refused).toMatchObject({ exitCode: 255 });
    const { stderr } = await login(gateway.sftpPort, { LogLevel: 'DEBUG1' });
    expect(stderr).toMatch(/kex: host key algorithm: rsa-sha2-512/u);
    expect(stderr).toMatch(/server-sig-algs=<[^>]*rsa-sha2-512,rsa-sha2-256>/u);
  });

  it('goes through a rotation without a warning, on one address in front of all gateways', async () => {
    const keys = join(folder.path, 'rotated');
    const knownHosts = join(folder.path, 'known_hosts');
    const env = { SFTP_HOST_KEY_DIR: keys, SFTP_HOST_KEY_TYPES: hostKeyKinds.join(',') };
    const file = (name: string) => join(keys, `ssh_host_ed25519_key${name}`);
    const meet = async (strict: 'yes' | 'accept-new') => {
      await using gateway = await rig.start('rotating', env);
      const outcome = await login(gateway.sftpPort, {
        UserKnownHostsFile: knownHosts,
        StrictHostKeyChecking: strict,
        HostKeyAlias: 'waybill',
        HostKeyAlgorithms: 'ssh-ed25519,ecdsa-sha2-nistp256,rsa-sha2-512',
        UpdateHostKeys: 'yes',
      });
      expect(outcome.stderr).not.toMatch(/WARNING|changed/u);
      expect(outcome.exitCode).toBe(0);
    };
    const known = async () =>
      (await readFile(knownHosts, 'utf8'))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.split(' ').slice(1, 3).join(' '))
        .toSorted();
    const blobOf = async (name: string) => {
      const { type, publicBlob } = parseHostKey(await readFile(file(name), 'utf8'));
      return `${type} ${publicBlob.toString('base64')}`;
    };

    await meet('accept-new');
    // OpenSSH only learns keys from servers that it already knew.
    await meet('yes');
    expect((await known()).map((line) => line.split(' ')[0])).toEqual([
      'ecdsa-sha2-nistp256',
      'ssh-ed25519',
      'ssh-rsa',
    ]);
    const first = await blobOf('');

    await writeFile(file('.next'), generateEd25519Key().private, { mode: 0o600 });
    const second = await blobOf('.next');
    await meet('yes');
    await waitFor(async () => (await known()).includes(second), { what: 'the next key to be known' });
    expect(await known()).toContain(first);

    await rename(file(''), file('.previous'));
    await rename(file('.next'), file(''));
    await meet('yes');
    expect(await known()).toEqual(expect.arrayContaining([first, second]));

    await rm(file('.previous'));
    await meet('yes');
    await waitFor(async () => !(await known()).includes(first), { what: 'the old key to be forgotten' });
    expect(await known()).toContain(second);
  });
});

function shortRsaKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
  return privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
}

function lockedKey(): string {
  const options = { passphrase: 'secret', cipher: 'aes256-ctr', rounds: 1 };
  return ssh2.utils.generateKeyPairSync('ed25519', options).private;
}
