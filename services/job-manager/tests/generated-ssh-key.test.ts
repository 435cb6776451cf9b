import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type OpensshServer, startOpensshServer } from '@waybill/test-kit/openssh/start-openssh-server';
import { runWaybill } from '@waybill/test-kit/processes/run-waybill';
import { urlAs } from '@waybill/test-kit/test-roles';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectingEnv, connectionRig } from './connection-rig.ts';

const keyGenerator = 'ssh-keygen';
const rig = connectionRig();
let server: OpensshServer;
let folder: string;

beforeAll(async () => {
  server = await startOpensshServer();
  folder = await mkdtemp(join(server.folder, 'keys-'));
  const { port, userName: username, hostKey } = server;
  const sftp = { type: 'sftp', host: '127.0.0.1', port, username, hostKeys: [hostKey] };
  const push = (connection: string) => ({
    uses: 'sftp-push',
    with: { connection, source: '/outbox/file', target: `${server.folder}/` },
  });
  await rig.configure(
    [
      ...['ed25519', 'ecdsa', 'rsa', 'imported'].map((name) => ({ ...sftp, name, privateKey: `secret://${name}` })),
      { ...sftp, name: 'stale', privateKey: 'secret://stale', keyExpires: '2020-01-31' },
      { ...sftp, name: 'dated', privateKey: 'secret://ed25519', keyExpires: '2099-12-31' },
    ],
    Object.fromEntries(['ed25519', 'ecdsa', 'rsa', 'imported', 'stale'].map((name) => [name, push(name)])),
  );
  await rig.platform.deliver('/outbox/file', Buffer.from('content'));
});
afterAll(() => server?.[Symbol.asyncDispose]());

/** Runs `waybill ssh-key` as the operator; returns what it printed. */
async function sshKey(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const url = urlAs('operator', rig.platform.database.url);
  const settings = { DATABASE_URL: url, SECRET_KEYS: connectingEnv.SECRET_KEYS, ...env };
  const { code, out, err } = await runWaybill(['ssh-key', ...args], settings);
  if (code !== 0) throw new Error(err);
  return out;
}

const lineIn = (printed: string): string => printed.trim().split('\n').at(-1) ?? '';

it.each(['ed25519', 'ecdsa', 'rsa'])(
  'a generated %s key delivers a file when the server knows the printed public key',
  async (kind) => {
    const printed = await sshKey(['generate', kind, '--kind', kind, '--comment', 'waybill of acme']);
    expect(printed).not.toContain('PRIVATE');
    const refused = await rig.run(kind, 'ERROR');
    expect(refused.statusMessage).toContain('refuses the login');
    await server.authorize(lineIn(printed));
    await rig.run(kind, 'COMPLETED');
    expect(await readFile(join(server.folder, 'file'), 'utf8')).toBe('content');
  },
);

it('an imported key with a passphrase delivers a file, without the passphrase being stored', async () => {
  const file = join(folder, 'locked');
  execFileSync(keyGenerator, ['-q', '-t', 'ed25519', '-N', 'a long one', '-f', file]);
  const printed = await sshKey(['import', 'imported', '--file', file], { SSH_KEY_PASSPHRASE: 'a long one' });
  const publicKey = await readFile(`${file}.pub`, 'utf8');
  expect(lineIn(printed).split(' ')[1]).toBe(publicKey.split(' ')[1]);
  await server.authorize(publicKey);
  await rig.run('imported', 'COMPLETED');
});

it('a refused login with a key that has expired says so', async () => {
  await sshKey(['generate', 'stale']);
  const job = await rig.run('stale', 'ERROR');
  expect(job.statusMessage).toContain('its key has expired: keyExpires is 2020-02-01T00:00:00.000Z');
});

it('shows until when keys are accepted as a metric, for alerts', async () => {
  const { text } = await rig.manager.client.get('/metrics');
  expect(text).toMatch(/waybill_ssh_key_expiry_seconds\{connection="dated",owner=""[^}]*\} 4102444800/u);
  expect(text).toMatch(/waybill_ssh_key_expiry_seconds\{connection="stale",owner=""[^}]*\} 1580515200/u);
  expect(text).not.toMatch(/waybill_ssh_key_expiry_seconds\{connection="rsa"/u);
});
