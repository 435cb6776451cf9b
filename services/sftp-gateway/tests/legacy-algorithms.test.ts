import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { runSftp, type SftpScript } from '@waybill/test-kit/run-sftp';
import { waitFor } from '@waybill/test-kit/wait-for';
import { Client, type Algorithms } from 'ssh2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isObject, method, property } from '../src/sftp/ssh2/insides-of-ssh2.ts';
import { createGatewayRig, type GatewayRig, type RunningGateway } from './gateway-rig.ts';

const password = 'secret-of-the-user';
const allow = ['diffie-hellman-group14-sha1', 'ssh-rsa', 'aes256-cbc', '3des-cbc', 'hmac-sha1'];

let rig: GatewayRig;
let gateway: RunningGateway;
let folder: Awaited<ReturnType<typeof createTestFolder>>;
let identityFile: string;

beforeAll(async () => {
  folder = await createTestFolder();
  identityFile = join(folder.path, 'rsa');
  await promisify(execFile)('ssh-keygen', ['-q', '-t', 'rsa', '-b', '2048', '-N', '', '-f', identityFile]);
  const publicKeys = [await readFile(`${identityFile}.pub`, 'utf8')];
  rig = await createGatewayRig({
    users: [
      { name: 'old', password, publicKeys, legacyAlgorithms: { allow, until: '2999-12-31' } },
      { name: 'partly', password, publicKeys, legacyAlgorithms: { allow: ['aes256-cbc'], until: '2999-12-31' } },
      { name: 'late', password, publicKeys, legacyAlgorithms: { allow, until: '2020-01-01' } },
      { name: 'modern', password, publicKeys },
    ],
  });
  gateway = await rig.start('peer1', { SFTP_HOST_KEY_TYPES: 'ed25519,rsa' });
});
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  await rig?.[Symbol.asyncDispose]();
  await folder?.remove();
});

const login = (user: string, sshOptions: Record<string, string>, more: Partial<SftpScript> = {}) =>
  runSftp({ port: gateway.sftpPort, user, password, commands: ['pwd'], sshOptions, ...more });

const chosen: [string, Record<string, string>, string][] = [
  ['key exchange', { KexAlgorithms: '+diffie-hellman-group14-sha1' }, 'diffie-hellman-group14-sha1'],
  ['host key', { HostKeyAlgorithms: '+ssh-rsa' }, 'ssh-rsa'],
  ['cipher', { Ciphers: '+aes256-cbc' }, 'aes256-cbc'],
  ['cipher', { Ciphers: '+3des-cbc' }, '3des-cbc'],
  ['MAC', { Ciphers: 'aes256-ctr', MACs: '+hmac-sha1' }, 'hmac-sha1'],
];
/** The same options, without any alternative. */
const forced = (options: Record<string, string>) =>
  Object.fromEntries(Object.entries(options).map(([name, value]) => [name, value.replace('+', '')]));

describe('an old algorithm', () => {
  it.each(chosen)('%s: is accepted with an exception, and audited (%o)', async (_kind, options, name) => {
    expect(await login('old', forced(options))).toMatchObject({ exitCode: 0 });
    const facts = (await rig.audited()).filter(({ dataoneUser }) => dataoneUser === 'old');
    expect(facts.map(({ auditCode, auditMessage }) => `${auditCode} ${auditMessage}`)).toContain(
      `AUD0039A User old has logged in with old algorithms of SSH: ${name}`,
    );
  });

  it.each(chosen)('%s: is refused without one, with its name (%o)', async (_kind, options, name) => {
    for (const user of ['modern', 'late']) {
      const outcome = await login(user, forced(options));
      expect(outcome.stderr).toContain(`Your SSH client has chosen ${name}, which is no longer secure`);
      expect(outcome.exitCode).toBe(255);
    }
  });

  it('is never chosen by a modern client', async () => {
    const everything = Object.assign({}, ...chosen.map(([, options]) => options)) as Record<string, string>;
    const sshOptions = { ...everything, Ciphers: '+aes256-cbc', LogLevel: 'DEBUG1' };
    const { stderr, exitCode } = await login('modern', sshOptions);
    expect(exitCode).toBe(0);
    expect(stderr).not.toMatch(/kex: (?:algorithm|host key|.*cipher).*(?:sha1|ssh-rsa|cbc)/u);
  });

  it('is named with every other that has no exception', async () => {
    const sshOptions = { KexAlgorithms: 'diffie-hellman-group14-sha1', Ciphers: 'aes256-cbc', MACs: 'hmac-sha1' };
    const outcome = await login('partly', sshOptions);
    expect(outcome.stderr).toContain('has chosen diffie-hellman-group14-sha1 and hmac-sha1, which is no longer secure');
  });

  it('does not disclose who has an exception before the password is right', async () => {
    const offers = ['old', 'modern', 'nobody'].map(async (user) => {
      const outcome = await login(user, { Ciphers: 'aes256-cbc' }, { password: 'wrong' });
      return outcome.stderr.replaceAll(user, 'somebody');
    });
    const [first, ...others] = await Promise.all(offers);
    for (const other of others) expect(other).toBe(first);
  });

  it('for the signature of the user needs an exception too', async () => {
    const options = { PubkeyAcceptedAlgorithms: 'ssh-rsa' };
    expect(await login('old', options, { identityFile })).toMatchObject({ exitCode: 0 });
    for (const user of ['modern', 'late', 'partly']) {
      expect(await login(user, options, { identityFile })).toMatchObject({ exitCode: 255 });
    }
  });

  it('chosen when keys are renewed ends the session', async () => {
    const client = new Client();
    client.on('error', () => {});
    const closed = once(client, 'close');
    const algorithms: Algorithms = { cipher: ['aes128-gcm@openssh.com'] };
    client.connect({ port: gateway.sftpPort, host: '127.0.0.1', username: 'modern', password, algorithms });
    await once(client, 'ready');
    const negotiated: string[] = [];
    client.on('handshake', ({ cs }) => negotiated.push(cs.cipher));
    offerOnly(client, 'aes256-cbc');
    await closed;
    expect(negotiated).toEqual(['aes256-cbc']);
  });
});

describe('without any exception in force', () => {
  it('no old algorithm is offered, within a second of the end of the last exception', async () => {
    await rig.database.query("update directory.partner_users set enabled = false where name in ('old', 'partly')");
    const refused = async () => {
      const { stderr } = await login('modern', { Ciphers: 'aes256-cbc' });
      return !stderr.includes('no longer secure');
    };
    expect(await waitFor(refused, { what: 'the offer to be modern' })).toBe(true);
    for (const [, options] of chosen) {
      const { exitCode, stderr } = await login('modern', forced(options));
      expect(exitCode).toBe(255);
      expect(stderr).not.toContain('no longer secure');
    }
  });
});

/** Renews the keys of a client of ssh2 with only this cipher. */
function offerOnly(client: Client, cipher: string): void {
  const { KexInit } = createRequire(import.meta.url)('ssh2/lib/protocol/kex.js') as {
    KexInit: new (lists: object) => unknown;
  };
  const protocol = property(client, '_protocol');
  if (!isObject(protocol)) throw new TypeError('ssh2: a client has no protocol');
  const offered = (what: string) => property(property(property(property(protocol, '_offer'), 'lists'), what), 'array');
  const way = { cipher: [cipher], mac: ['hmac-sha2-256'], compress: ['none'], lang: [] };
  const lists = { kex: offered('kex'), serverHostKey: offered('serverHostKey'), cs: way, sc: way };
  Reflect.set(protocol, '_offer', new KexInit(lists));
  Reflect.apply(method(protocol, 'rekey'), protocol, []);
}
