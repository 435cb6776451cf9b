import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { runSftp } from '@waybill/test-kit/run-sftp';
import { spawnSftp } from '@waybill/test-kit/spawn-sftp';
import { codeOfApp } from '@waybill/test-kit/values/authenticator-app';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type PlatformProcess, startPlatformProcess } from './platform-process.ts';
import { connectToServers, siteConfiguration } from './site-configuration.ts';

const resources = new AsyncDisposableStack();
let platform: PlatformProcess;
let identityFile: string;

beforeAll(async () => {
  const folder = resources.use(await createTestFolder());
  const file = join(folder.path, 'platform.yaml');
  const users = ['tom', 'ann'];
  const partner = {
    name: 'umbrella',
    type: 'Partner',
    accountPolicy: 'own-keys',
    users: users.map((name) => ({ name, password: 'umbrella-demo' })),
    virtualFileSystems: [{ name: 'umbrella-files', folders: ['/inbox'] }],
    connectionContracts: connectToServers(users.map((user) => ({ user, vfs: 'umbrella-files' }))),
  };
  const accountPolicies = [{ name: 'own-keys', sshKeys: { allowed: true }, partnerSecondFactor: 'optional' }];
  // YAML contains JSON.
  await writeFile(file, JSON.stringify({ ...siteConfiguration, accountPolicies, actors: [partner] }));
  identityFile = join(folder.path, 'key');
  await promisify(execFile)('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', identityFile]);
  platform = resources.use(await startPlatformProcess({ WAYBILL_CONFIGURATION: file }));
});
afterAll(() => resources.disposeAsync());

const withKey = () => ({ port: platform.sftpPort, user: 'tom', identityFile });

it('a key that a partner adds over HTTP opens SFTP sessions at once, and none after it is deleted there', async () => {
  const http = platform.http();
  await http.post('/2.0/login/basic', { form: { username: 'tom', password: 'umbrella-demo' } });
  expect((await runSftp({ ...withKey(), commands: ['ls /'] })).exitCode).toBe(255);
  const added = await http.post('/2.0/account/ssh-keys', {
    json: { key: await readFile(`${identityFile}.pub`, 'utf8') },
  });
  const { id } = z.object({ id: z.string() }).parse(added.json());
  const listed = await runSftp({ ...withKey(), commands: ['ls /'] });
  expect([listed.exitCode, listed.stdout]).toEqual([0, expect.stringContaining('inbox')]);

  const open = await openSftp();
  expect((await http.delete(`/2.0/account/ssh-keys/${id}`)).status).toBe(200);
  await expect.poll(open.isOver, { timeout: 2_000, interval: 100 }).toBe(true);
  expect((await runSftp({ ...withKey(), commands: ['ls /'] })).exitCode).toBe(255);
});

const api = '/platform-application/api/v1';

/** Logs in over SFTP, and waits until the session is open. */
async function openSftp() {
  const open = spawnSftp(withKey(), { batch: false });
  open.child.stdin.write('ls /\n');
  await expect.poll(() => open.stdout()).toContain('inbox');
  let hasEnded = false;
  void open.exited.then(() => (hasEnded = true));
  /** The client notices the end of its connection with its next command. */
  const isOver = () => {
    if (!hasEnded) open.child.stdin.write('pwd\nls /\n');
    return hasEnded;
  };
  return { ...open, isOver };
}

async function logIn() {
  const http = platform.http();
  await http.post('/2.0/login/basic', { form: { username: 'tom', password: 'umbrella-demo' } });
  return http;
}

async function addKey(): Promise<string> {
  const key = await readFile(`${identityFile}.pub`, 'utf8');
  return z
    .object({ id: z.string() })
    .parse((await (await logIn()).post('/2.0/account/ssh-keys', { json: { key } })).json()).id;
}

it('an administrator sees the keys that a partner has added, and deletes one: it is audited, and its sessions end', async () => {
  const id = await addKey();
  const open = await openSftp();
  const bearer = await platform.adminToken();
  const http = platform.http();
  const path = `${api}/users/tom/ssh-keys`;
  const listed = await http.request('GET', path, { bearer });
  expect(listed.json()).toMatchObject({ keys: [{ id, origin: 'own' }] });
  expect((await http.request('DELETE', `${path}/${'A'.repeat(43)}`, { bearer })).status).toBe(404);
  expect((await http.request('DELETE', `${path}/..%2F..`, { bearer })).status).toBe(400);
  expect((await http.request('DELETE', `${api}/users/nobody/ssh-keys/${id}`, { bearer })).json()).toMatchObject({
    code: 'user_unknown',
  });
  expect((await http.request('DELETE', `${path}/${id}`, { bearer })).status).toBe(204);
  await expect.poll(open.isOver, { timeout: 2_000, interval: 100 }).toBe(true);
  expect((await http.request('DELETE', `${path}/${id}`, { bearer })).status).toBe(404);
  const q = encodeURIComponent('{auditCode="AUD0057A",address="127.0.0.1"}');
  const records = () =>
    http.request('GET', `${api}/audit/logs?page=0&limit=10&q=${q}`, { bearer }).then((found) => found.json());
  await expect.poll(records).toMatchObject([{ dataoneUser: 'admin', entityName: 'tom' }]);
});

it('a second factor that a partner sets up holds for both protocols, and an administrator removes it', async () => {
  const account = { username: 'ann', password: 'umbrella-demo' };
  const path = '/2.0/account/second-factor';
  const http = platform.http();
  const { secret } = z.object({ secret: z.string() }).parse((await http.post(path, { json: account })).json());
  const confirmed = await http.post(`${path}/confirm`, { json: { ...account, code: codeOfApp(secret) } });
  expect(confirmed.status).toBe(200);
  const sftp = (code: string) =>
    runSftp({
      port: platform.sftpPort,
      user: 'ann',
      password: account.password,
      code,
      commands: ['ls /'],
      sshOptions: { PreferredAuthentications: 'keyboard-interactive' },
    });
  const code = codeOfApp(secret, 1);
  expect((await sftp(code)).exitCode).toBe(0);
  const form = { ...account, code };
  expect((await http.post('/2.0/login/basic', { form })).json()).toMatchObject({ code: 'second_factor_refused' });
  const bearer = await platform.adminToken();
  const reset = (name: string) => http.request('DELETE', `${api}/users/${name}/second-factor`, { bearer });
  const shown = (name: string) => http.get(`${api}/users/${name}/second-factor`, { bearer }).then((one) => one.json());
  expect([await shown('tom'), await shown('ann')]).toMatchObject([{ active: false }, { active: true }]);
  expect((await reset('nobody')).json()).toMatchObject({ code: 'user_unknown' });
  expect((await reset('tom')).json()).toMatchObject({ code: 'second_factor_absent' });
  expect((await reset('ann')).status).toBe(204);
  expect((await sftp('')).exitCode).toBe(0);
  const q = encodeURIComponent('{auditCode="AUD0093A"}');
  const records = () =>
    http.request('GET', `${api}/audit/logs?page=0&limit=10&q=${q}`, { bearer }).then((found) => found.json());
  await expect.poll(records).toMatchObject([{ dataoneUser: 'admin', entityName: 'ann' }]);
});

it('partners see their sessions over both protocols, and end one of each', async () => {
  const id = await addKey();
  const [http, other] = [await logIn(), await logIn()];
  const stranger = platform.http();
  await stranger.post('/2.0/login/basic', { form: { username: 'ann', password: 'umbrella-demo' } });
  const open = await openSftp();
  const schema = z.object({
    sessions: z.array(z.looseObject({ id: z.string(), protocol: z.string(), current: z.boolean() })),
  });
  const list = async (from = http) => schema.parse((await from.get('/2.0/account/sessions')).json()).sessions;
  await expect.poll(async () => (await list()).map(({ protocol }) => protocol)).toContain('SFTP');
  const sessions = await list();
  const mine = sessions.filter(({ current }) => current);
  expect(mine).toMatchObject([{ protocol: 'HTTP' }]);
  const ofOther = (await list(other)).find(({ current }) => current)?.id ?? '';
  const overSftp = sessions.find(({ protocol }) => protocol === 'SFTP');
  expect(overSftp).toMatchObject({ address: '127.0.0.1', client: expect.stringContaining('OpenSSH') as unknown });

  // Those of others do not exist, and a damaged id names none.
  expect(await list(stranger)).toHaveLength(1);
  for (const theirs of [ofOther, overSftp?.id ?? '']) {
    expect((await stranger.delete(`/2.0/account/sessions/${theirs}`)).json()).toMatchObject({
      code: 'own_session_unknown',
    });
  }
  for (const wrong of ['x', '..%2F1', 'A'.repeat(129)])
    expect((await http.delete(`/2.0/account/sessions/${wrong}`)).status).toBe(400);

  expect((await http.delete(`/2.0/account/sessions/${ofOther}`)).status).toBe(200);
  expect((await other.get('/2.0/account/sessions')).status).toBe(401);
  expect((await http.delete(`/2.0/account/sessions/${overSftp?.id ?? ''}`)).status).toBe(200);
  await expect.poll(open.isOver, { timeout: 2_000, interval: 100 }).toBe(true);
  await expect.poll(async () => (await list()).map((session) => session.id)).not.toContain(overSftp?.id);
  expect((await http.delete(`/2.0/account/sessions/${mine[0]?.id ?? ''}`)).status).toBe(200);
  expect((await http.get('/2.0/account/sessions')).status).toBe(401);
  await (await logIn()).delete(`/2.0/account/ssh-keys/${id}`);
});

it('partners see their transfers over both protocols with receipts, page by page', async () => {
  await addKey();
  const http = await logIn();
  await http.put('/2.0/files/inbox/over-http.csv', { body: 'a,b\n', headers: { 'content-type': 'text/csv' } });
  await writeFile(`${identityFile}.csv`, 'c,d\n');
  await runSftp({ ...withKey(), commands: [`put ${identityFile}.csv /inbox/over-sftp.csv`] });
  await http.get('/2.0/files/inbox/over-sftp.csv');
  const schema = z.object({
    transfers: z.array(z.looseObject({ direction: z.string(), path: z.string(), size: z.int(), receipt: z.unknown() })),
    next: z.string().optional(),
  });
  const read = async (query: string) => schema.parse((await http.get(`/2.0/account/transfers${query}`)).json());
  await expect
    .poll(async () => (await read('')).transfers.map(({ direction, path, size }) => `${direction} ${path} ${size}`))
    .toEqual(['download /inbox/over-sftp.csv 4', 'upload /inbox/over-sftp.csv 4', 'upload /inbox/over-http.csv 4']);
  const { transfers } = await read('');
  const receipt = transfers.map((transfer) => transfer.receipt).find((found) => found !== null);
  expect(receipt).toMatchObject({ size: 4, address: expect.stringMatching(/^\/2\.0\/receipts\/\d+$/u) as unknown });
  const { address } = z.looseObject({ address: z.string() }).parse(receipt);
  expect((await http.get(address)).json()).toMatchObject({ path: '/inbox/over-http.csv' });

  const paged: string[] = [];
  for (let query = '?maxItems=1', pages = 0; pages < 10; pages += 1) {
    const page = await read(query);
    paged.push(...page.transfers.map(({ path }) => path));
    if (page.next === undefined) break;
    query = `?maxItems=1&cursor=${page.next}`;
  }
  expect(paged).toEqual(transfers.map(({ path }) => path));
  const stranger = platform.http();
  await stranger.post('/2.0/login/basic', { form: { username: 'ann', password: 'umbrella-demo' } });
  expect((await stranger.get('/2.0/account/transfers')).json()).toEqual({ transfers: [] });
  for (const cursor of ['0-1', '9999999999999-1', '1-999999999999999999']) {
    expect((await http.get(`/2.0/account/transfers?cursor=${cursor}`)).status).toBe(200);
  }
  for (const wrong of ['cursor=x', 'cursor=-1-1', 'cursor=1-0', 'cursor=99999999999999-1', 'maxItems=0', 'user=ann'])
    expect((await http.get(`/2.0/account/transfers?${wrong}`)).status).toBe(400);
});

it('the commands of docs/http-files.md for sessions and transfers work', async () => {
  const page = await readFile(new URL('../../docs/http-files.md', import.meta.url), 'utf8');
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gmsu)].map(([, block = '']) => block);
  const commands = blocks.filter((block) => /\/2\.0\/account\/(?:sessions|transfers)/u.test(block));
  const ofOperators = blocks.filter((block) => /\/http-sessions|\/unfinished-uploads/u.test(block));
  expect([commands.length, ofOperators.length]).toEqual([2, 2]);
  await using folder = await createTestFolder();
  const login =
    'curl -s -c cookies.txt http://127.0.0.1:8080/2.0/login/basic -d username=ann -d password=umbrella-demo';
  const operator = `TOKEN=${await platform.adminToken()}; ${login} > /dev/null`;
  const script = ['set -euo pipefail', `${login} > /dev/null`, ...commands, operator, ...ofOperators].join('\n');
  const run = promisify(execFile);
  const lines = script.replaceAll('http://127.0.0.1:8080', platform.url).replace('actor=acme', 'actor=umbrella');
  const { stdout } = await run('bash', ['-c', lines], { cwd: folder.path });
  expect(stdout).toMatch(
    /"protocol":"HTTP".*"current":true.*"transfers":\[.*"sessionId":"[^"]*","userName":"ann".*\{"items":\[\]\}/su,
  );
});

it('an operator ends the session of a partner over HTTP, which is refused at once', async () => {
  const [http, other] = [await logIn(), await logIn()];
  const listed = z.object({ sessions: z.array(z.object({ sessionId: z.string() })) });
  const bearer = await platform.adminToken();
  const path = `${api}/infrastructure/clusters/http-sessions`;
  const found = await http.request('GET', `${path}?actor=umbrella&userName=tom`, { bearer });
  const sessionId = listed.parse(found.json()).sessions.at(-1)?.sessionId ?? '';
  expect((await http.request('DELETE', `${path}/${sessionId}`, { bearer })).status).toBe(200);
  expect([(await http.get('/2.0/account')).status, (await other.get('/2.0/account')).status]).toEqual([200, 401]);
});
