import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestFolder, type TestFolder } from '@waybill/test-kit/create-test-folder';
import { runSftp } from '@waybill/test-kit/run-sftp';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waybillAt } from './command-line/waybill.ts';
import { type PlatformProcess, startPlatformProcess } from './platform-process.ts';
import { connectToServers, siteConfiguration } from './site-configuration.ts';

const scanner = 'ssh-keyscan';
const resources = new AsyncDisposableStack();
const passwords = { alice: 'password-of-alice', bob: 'password-of-bob' };
let platform: PlatformProcess;
let local: TestFolder;

const partner = (name: 'alice' | 'bob', contracts: readonly object[] = []) => ({
  name,
  type: 'Partner',
  users: [{ name, password: passwords[name] }],
  virtualFileSystems: [{ name: `${name}-files`, folders: ['/inbox', '/outbox'] }],
  connectionContracts: connectToServers([{ user: name, vfs: `${name}-files`, mountPath: '/' }]),
  contracts,
});
const connection = { connection: 'bob-sftp' };
/** Sends what alice delivers to bob over the platform's own gateway, and fetches it back for alice. */
const roundTrip = {
  name: 'round-trip',
  steps: [
    {
      name: 'push',
      uses: 'sftp-push',
      with: { ...connection, source: '${{ file.path }}', target: '/inbox/' },
      // Longer than the pause after which a partner that did not answer is tried again.
      retry: { attempts: 20, delaySeconds: 5 },
    },
    {
      name: 'pull',
      uses: 'sftp-pull',
      with: { ...connection, source: '/inbox/${{ file.name }}', folder: '/outbox', afterwards: 'delete' },
      retry: { attempts: 5, delaySeconds: 1 },
    },
  ],
};
const contract = {
  name: 'exchange',
  type: 'Mediation',
  actions: [
    {
      name: 'exchange',
      trigger: { type: 'NewFile', vfs: 'alice-files', virtualPath: '/inbox', filePattern: '*' },
      workflow: 'round-trip',
    },
  ],
};

beforeAll(async () => {
  local = resources.use(await createTestFolder());
  const file = await writeConfiguration('first.json', { actors: [partner('alice'), partner('bob')] });
  const env = { WAYBILL_CONFIGURATION: file, OUTBOUND_ALLOWED_NETWORKS: '127.0.0.0/8' };
  platform = resources.use(await startPlatformProcess(env));
});
afterAll(() => resources.disposeAsync());

async function writeConfiguration(name: string, parts: object): Promise<string> {
  const file = join(local.path, name);
  await writeFile(file, JSON.stringify({ ...siteConfiguration, ...parts }));
  return file;
}

/** The variables of one of the files that `npm start` writes. */
async function environment(name: string): Promise<Record<string, string>> {
  const text = await readFile(join(platform.folder, 'environments', `${name}.env`), 'utf8');
  return Object.fromEntries([...text.matchAll(/^(\w+)="?(.*?)"?$/gmu)].map(([, key = '', value = '']) => [key, value]));
}

async function waybill(args: readonly string[], { input = '', as = 'waybill' } = {}): Promise<string> {
  const { code, out, err } = await waybillAt(platform.folder)(args, { env: await environment(as), input });
  if (code !== 0) throw new Error(`waybill ${args.join(' ')}: ${err}`);
  return out;
}

async function applyConnection(): Promise<void> {
  const scanned = execFileSync(scanner, ['-t', 'ed25519', '-p', String(platform.sftpPort), '127.0.0.1'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const hostKey = /ssh-ed25519 \S+/u.exec(scanned)?.[0];
  const bobSftp = {
    name: 'bob-sftp',
    type: 'sftp',
    host: '127.0.0.1',
    port: platform.sftpPort,
    username: 'bob',
    password: 'secret://bob',
    hostKeys: [hostKey],
  };
  const file = await writeConfiguration('second.json', {
    clientConnections: [bobSftp],
    workflowTemplates: [roundTrip],
    actors: [partner('alice', [contract]), partner('bob')],
  });
  await waybill(['apply', file]);
}

const sftp = (user: 'alice' | 'bob', ...commands: string[]) =>
  runSftp({ port: platform.sftpPort, user, password: passwords[user], commands });

/** Delivers a file as alice, which starts a job. */
async function deliver(name: string, content: Buffer): Promise<void> {
  const file = join(local.path, name);
  await writeFile(file, content);
  expect(await sftp('alice', `put ${file} /inbox/${name}`)).toMatchObject({ exitCode: 0 });
}

/** Sizes of the blobs that are stored or being written. */
async function storedSizes(): Promise<number[]> {
  const entries = await readdir(join(platform.folder, 'blobs'), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return await Promise.all(files.map(async (file) => (await stat(file).catch(() => undefined))?.size ?? 0));
}

async function collect(name: string): Promise<Buffer> {
  const file = join(local.path, `collected-${name}`);
  await waitFor(async () => (await sftp('alice', `get /outbox/${name} ${file}`)).exitCode === 0, {
    what: `${name} to be back`,
    timeoutMs: 120_000,
    intervalMs: 500,
  });
  return await readFile(file);
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

test('npm start makes the keys of secrets, which only their owner can read and the job manager alone is given', async () => {
  const file = join(platform.folder, 'keys', 'secret-keys');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  for (const name of ['waybill', 'job-manager']) expect((await environment(name))['SECRET_KEYS_FILE']).toBe(file);
  for (const name of ['audit', 'http-files', 'sftp-gateway', 'tour']) {
    expect(await environment(name)).not.toHaveProperty('SECRET_KEYS_FILE');
  }
});

test('a connection with a secret as its password works, to the gateway of the platform itself, and after a rotation of the keys', async () => {
  expect(await waybill(['secret', 'set', 'bob'], { input: `${passwords.bob}\n` })).toContain('+ Secret bob');
  await applyConnection();
  for (const [name, size] of [
    ['empty', 0],
    ['small', 7],
    ['large', 3_000_001],
  ] as const) {
    const content = randomBytes(size);
    await deliver(name, content);
    expect(sha256(await collect(name))).toBe(sha256(content));
    expect((await sftp('bob', `ls -1a /inbox`)).stdout).not.toContain(name);
  }
  const file = join(platform.folder, 'keys', 'secret-keys');
  const before = await readFile(file, 'utf8');
  const added = await waybill(['secret', 'new-key']);
  await writeFile(file, added + before);
  expect(await waybill(['secret', 'reencrypt'], { as: 'job-manager' })).toContain('1 secrets re-encrypted');
  expect(await waybill(['secret', 'list'])).toContain(` ${added.split(':')[0]} `);
  await writeFile(file, added);
  await deliver('rotated', Buffer.from('after the rotation'));
  expect((await collect('rotated')).toString()).toBe('after the rotation');
});

test('sftp-push and sftp-pull against the own gateway outlive the end of the gateway in the middle of a file', async () => {
  const content = randomBytes(96 * 1024 * 1024);
  await deliver('big', content);
  const isPart = (size: number): boolean => size > 4 * 1024 * 1024 && size < content.length;
  await waitFor(async () => (await storedSizes()).some(isPart), { what: 'a part of the file', intervalMs: 5 });
  await platform.signal('sftp-gateway', 'SIGKILL');
  expect(sha256(await collect('big'))).toBe(sha256(content));
  expect((await sftp('bob', `ls -1a /inbox`)).stdout).not.toContain('big');
});
