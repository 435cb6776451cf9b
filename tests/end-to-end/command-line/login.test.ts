import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type PlatformProcess, startPlatformProcess } from '../platform-process.ts';
import { type Waybill, waybillAt } from './waybill.ts';

const resources = new AsyncDisposableStack();
let platform: PlatformProcess;
let home: string;
let waybill: Waybill;
let file: string;

beforeAll(async () => {
  platform = resources.use(await startPlatformProcess());
});
afterAll(() => resources.disposeAsync());
beforeEach(async () => {
  home = resources.use(await createTestFolder()).path;
  waybill = waybillAt(home);
  file = join(home, '.config', 'waybill', 'contexts.json');
});

const logIn = () => waybill(['login', '--url', platform.url, '--user', 'admin'], { input: 'admin-demo\n' });

interface Stored {
  contexts: Record<string, { tokens: { accessToken: string; expiresAt: number } }>;
}

async function changeStored(change: (tokens: Stored['contexts'][string]['tokens']) => void): Promise<void> {
  const stored = JSON.parse(await readFile(file, 'utf8')) as Stored;
  for (const { tokens } of Object.values(stored.contexts)) change(tokens);
  await writeFile(file, JSON.stringify(stored));
}

it('logs in with a password from standard input, keeps the login to the user, and shows the status', async () => {
  const host = new URL(platform.url).host;
  expect(await logIn()).toEqual({
    code: 0,
    out: `Logged in as admin; the context admin@${host} is kept in ${file}\n`,
    err: '',
  });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await stat(join(home, '.config', 'waybill'))).mode & 0o777).toBe(0o700);
  expect(await readFile(file, 'utf8')).not.toContain('admin-demo');
  const status = await waybill(['status', '--json']);
  const parts = JSON.parse(status.out) as { part: string; state: string }[];
  const lines = parts.map(({ part, state }) => `${part} ${state}`);
  expect(lines.slice(0, 4)).toEqual(['job-manager up', 'sftp-gateway up', 'audit up', 'http-files up']);
  expect(lines).toEqual(expect.arrayContaining(['postgresql up', 'redis up', 'store local up', 'audit log up']));
  expect((await waybill(['status'])).out).toMatch(
    /^PART +STATE +TIME +SINCE +DETAIL\njob-manager +up +\d+ ms +jobs: \d+ running/u,
  );
});

it('partners and managers have a current context each, and logging out ends the login everywhere', async () => {
  await logIn();
  const partner = ['login', '--url', platform.url, '--user', 'acme', '--partner', '--context', 'files'];
  expect((await waybill(partner, { env: { WAYBILL_PASSWORD: 'acme-demo' } })).code).toBe(0);
  const list = await waybill(['context', 'list']);
  expect(list.out.split('\n').filter((line) => line.startsWith('*'))).toHaveLength(2);
  expect(list.out).toMatch(/\* +files +partner +http:\S+ +acme +logged in/u);
  expect(await waybill(['context', 'use', 'nowhere'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('there is no context'),
  });
  expect((await waybill(['context', 'use', 'files'])).code).toBe(0);
  const copy = await readFile(file, 'utf8');
  expect(await waybill(['logout'])).toMatchObject({ code: 0, err: '' });
  await writeFile(file, copy);
  await changeStored(() => undefined).catch(() => undefined);
  const { contexts } = JSON.parse(copy) as Stored;
  await writeFile(file, JSON.stringify({ current: { manager: `admin@${new URL(platform.url).host}` }, contexts }));
  const again = JSON.parse(await readFile(file, 'utf8')) as Stored;
  for (const context of Object.values(again.contexts)) if ('tokens' in context) context.tokens.expiresAt = 0;
  await writeFile(file, JSON.stringify(again));
  expect(await waybill(['status'])).toEqual({
    code: 4,
    out: '',
    err: `waybill status: the login has ended\n  Log in again: \`waybill login --url ${platform.url} --user admin\`.\n`,
  });
});

it('a code that is not in force is refused with what a code needs', async () => {
  const words = ['login', '--url', platform.url, '--user', 'admin', '--code', '7K2QF-M0XZB-4TNCH-9WRGA-E5JPV'];
  const { code, err } = await waybill(words, { input: 'a long first password\n' });
  expect([code, err]).toEqual([
    4,
    expect.stringMatching(/^waybill login: .*works once.*\n.*first-password <name>`\.\n$/u),
  ]);
  expect(err).not.toContain('Check the username');
});

it('a file to upload that is missing is named in a sentence', async () => {
  const login = ['login', '--url', platform.url, '--user', 'acme', '--partner'];
  await waybill(login, { input: 'acme-demo\n' });
  for (const name of ['none.csv', '../none/*.csv']) {
    const { code, err } = await waybill(['files', 'put', name, '/inbox/']);
    expect([code, err]).toEqual([1, expect.stringContaining('There is no file ')]);
    expect(err).not.toContain('ENOENT');
  }
});

it('ten processes with an expired token share one refresh: none of them ends the login', async () => {
  await logIn();
  await changeStored((tokens) => {
    tokens.expiresAt = 0;
  });
  const runs = await Promise.all(Array.from({ length: 10 }, () => waybill.start(['status']).ended));
  expect(runs.map(({ code, err }) => [code, err])).toEqual(runs.map(() => [0, '']));
  await changeStored((tokens) => {
    tokens.accessToken = 'garbage';
  });
  expect((await waybill(['status'])).code).toBe(0);
});

it.each<[string, string, number]>([
  ['garbage', '\u0000{', 0o600],
  ['another shape', '{"contexts":[]}', 0o600],
  ['half a file', '{"current":{},"conte', 0o600],
  ['a file that others can read', '{"current":{},"contexts":{}}', 0o644],
])('%s in place of the contexts is refused with what to do', async (_, text, mode) => {
  await mkdir(join(home, '.config', 'waybill'), { recursive: true });
  await writeFile(file, text);
  await chmod(file, mode);
  for (const args of [['status'], ['context', 'list'], ['context', 'use', 'a'], ['logout']]) {
    const { code, out, err } = await waybill(args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(
      mode === 0o600 ? /is damaged: remove it and log in again\n$/u : /run `chmod 600 .+`, or remove it\n$/u,
    );
  }
  expect(await readFile(file, 'utf8')).toBe(text);
});

it('says what to do when something is missing or wrong', async () => {
  expect(await waybill(['status'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('log in first: `waybill login'),
  });
  const login = ['login', '--user', 'admin', '--url'];
  expect(await waybill([...login, platform.url], { input: 'wrong\n' })).toMatchObject({
    code: 4,
    err: 'waybill login: Invalid username or password\n  Check the username and the password.\n',
  });
  expect(await waybill([...login, platform.url])).toMatchObject({
    code: 2,
    err: expect.stringContaining('give the password'),
  });
  expect(await waybill([...login, 'http://127.0.0.1:9'], { input: 'x\n' })).toEqual({
    code: 5,
    out: '',
    err: 'waybill login: http://127.0.0.1:9 cannot be reached (ECONNREFUSED)\n  Check the address, the network and whether the platform runs.\n',
  });
  expect((await waybill([...login, 'files.example.org'], { input: 'x\n' })).err).toContain(
    'https:// or http:// is missing',
  );
  expect((await waybill(['status', '--url', platform.url, '--token', join(home, 'none')])).code).toBe(2);
  const env = { WAYBILL_URL: platform.url, WAYBILL_TOKEN: 'not.a.token' };
  expect(await waybill(['status'], { env })).toMatchObject({
    code: 4,
    err: expect.stringContaining('another access token'),
  });
  expect((await waybill(['status'], { env: { ...env, WAYBILL_TOKEN: await platform.adminToken() } })).code).toBe(0);
});

it('removes a context with its login, also the current one, and of a platform that is not there', async () => {
  await logIn();
  const name = `admin@${new URL(platform.url).host}`;
  const { contexts } = JSON.parse(await readFile(file, 'utf8')) as Stored;
  const bearer = contexts[name]?.tokens.accessToken ?? '';
  const ask = async () => (await platform.http().get('/platform-application/api/v1/manager-users', { bearer })).status;
  expect(await ask()).toBe(200);
  expect(await waybill(['context', 'remove', 'nobody'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('there is no context nobody'),
  });
  expect(await waybill(['context', 'remove', 'constructor'])).toMatchObject({ code: 2 });
  expect(await waybill(['context', 'remove', name])).toEqual({
    code: 0,
    out: `Removed ${name}\n`,
    err: expect.stringMatching(/^No context of a manager user is current now: .*waybill context use <name>/u),
  });
  await expect.poll(ask).toBe(401);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ current: {}, contexts: {} });
  expect(await waybill(['status'])).toMatchObject({ code: 2, err: expect.stringContaining('log in first') });

  const gone = { side: 'manager', url: 'http://127.0.0.1:1', user: 'admin', tokens: contexts[name]?.tokens };
  await writeFile(file, JSON.stringify({ current: {}, contexts: { gone } }));
  expect(await waybill(['context', 'remove', 'gone', '--json'])).toEqual({
    code: 0,
    out: '{"name":"gone","side":"manager","url":"http://127.0.0.1:1","wasCurrent":false,"isLoginEnded":false}\n',
    err: expect.stringContaining('did not answer'),
  });
  expect(await readFile(file, 'utf8')).not.toContain('accessToken');
});

it('says that a platform has no outside issuer, and what is no platform is not said to have none', async () => {
  expect(await waybill(['login', '--url', platform.url, '--oidc'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^waybill login: this platform has no outside issuer: .*OIDC_ISSUER/u),
  });
  expect((await waybill(['login', '--url', `${platform.url}/elsewhere`, '--oidc'])).err).not.toContain('OIDC_ISSUER');
});
