import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type PlatformProcess, startPlatformProcess } from './platform-process.ts';
import { processesOf } from './processes-of.ts';
import { createStopwatch, processorSecondsOf } from './run-costs.ts';
import { type SecondPeers, startSecondPeers } from './second-peers.ts';
import { connectToServers } from './site-configuration.ts';
import { connectSftp } from './two-doors/sftp-door.ts';

const resources = new AsyncDisposableStack();
const password = 'correct horse battery 7';
let platform: PlatformProcess;
let peers: SecondPeers;
let key: { readonly secret: string; readonly line: string };
let bearer: string;

/** What the product promises, from the answer to the change on. */
const promisedMs = 1_000;

async function change(method: string, path: string, json?: object): Promise<void> {
  const answer = await platform.http().request(method, `/platform-application/api/v1${path}`, { bearer, json });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
}

beforeAll(async () => {
  const folder = resources.use(await createTestFolder());
  const file = join(folder.path, 'key');
  await promisify(execFile)('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
  key = { secret: await readFile(file, 'utf8'), line: (await readFile(`${file}.pub`, 'utf8')).trim() };
  platform = resources.use(await startPlatformProcess());
  peers = resources.use(await startSecondPeers(platform));
  bearer = await platform.adminToken();
  await change('POST', '/actors', { name: 'umbrella', type: 'Partner' });
  await change('POST', '/users', { name: 'tom', actor: 'umbrella', password, publicKeys: [key.line] });
  await change('POST', '/virtual-file-systems', { name: 'umbrella-files', actor: 'umbrella', folders: ['/inbox'] });
  for (const contract of connectToServers([{ user: 'tom', vfs: 'umbrella-files' }]))
    await change('POST', '/connection-contracts', { ...contract, actor: 'umbrella' });
});
afterAll(() => resources.disposeAsync());

/** A logged-in client of one gateway: whether the user may list a folder there, now. */
type Look = () => Promise<boolean>;

let looks: Readonly<Record<string, Look>>;

/** A session of its own on every gateway: over SFTP with the key, over HTTP with the password. */
beforeEach(async () => {
  const sftp = async (port: number): Promise<Look> => {
    const { sftp: connection } = await connectSftp({ port, user: 'tom', password, privateKey: key.secret });
    // A request of a session that has ended is not answered.
    const ended = new Promise<boolean>((resolve) => void connection.once('close', () => resolve(false)));
    const look = () =>
      new Promise<boolean>((resolve) => connection.readdir('/inbox', (error) => resolve(error === undefined)));
    return () => Promise.race([ended, look()]);
  };
  const http = async (url: string): Promise<Look> => {
    const client = createHttpClient(url);
    await client.post('/2.0/login/basic', { form: { username: 'tom', password } });
    return async () => (await client.get('/2.0/directories/inbox')).status === 200;
  };
  looks = {
    'sftp peer1': await sftp(platform.sftpPort),
    'sftp peer2': await sftp(peers.sftpPort),
    'http peer1': await http(platform.url),
    'http peer2': await http(peers.filesUrl),
  };
  for (const [gateway, look] of Object.entries(looks)) if (!(await look())) throw new Error(`${gateway} refuses`);
});

/**
 * Looks again and again on each of these gateways until each has refused. An operation that began when the promised time had passed may not
 * be permitted: how long it takes on a busy machine does not count.
 */
async function refusedInTime(gateways: readonly string[], made: () => Promise<void>): Promise<readonly string[]> {
  const refused: string[] = [];
  await made();
  const answeredAt = performance.now();
  await Promise.all(
    gateways.map(async (gateway) => {
      for (let isPermitted = true; isPermitted;) {
        const beganAt = performance.now();
        isPermitted = (await looks[gateway]?.()) ?? false;
        const isLate = isPermitted && beganAt - answeredAt > promisedMs;
        expect(isLate, `${gateway} permits what began ${beganAt - answeredAt} ms later`).toBe(false);
      }
      refused.push(gateway);
    }),
  );
  return refused.toSorted();
}

const overSftp = ['sftp peer1', 'sftp peer2'];
const overHttp = ['http peer1', 'http peer2'];
const everywhere = [...overHttp, ...overSftp];

it('rights that the API withdraws are gone on every gateway, in open sessions, within a second', async () => {
  const path = '/virtual-file-systems/umbrella-files';
  const rule = { path: '/inbox', grants: [{ user: 'tom', permissions: ['upload'] }] };
  expect(await refusedInTime(everywhere, () => change('PATCH', path, { acl: [rule] }))).toEqual(everywhere);
  await change('PATCH', path, { acl: null });
  for (const look of Object.values(looks)) await expect.poll(look, { timeout: 5_000 }).toBe(true);
});

it('a freeze ends the sessions of the user on every gateway within a second', async () => {
  const freeze = () => change('PUT', '/infrastructure/users/tom/freeze');
  expect(await refusedInTime(everywhere, freeze)).toEqual(everywhere);
  await change('DELETE', '/infrastructure/users/tom/freeze');
});

it('a key that the API removes ends its sessions on every gateway within a second, and no other', async () => {
  const remove = () => change('PATCH', '/users/tom', { publicKeys: [] });
  expect(await refusedInTime(overSftp, remove)).toEqual(overSftp);
  for (const gateway of overHttp) expect(await looks[gateway]?.()).toBe(true);
  await change('PATCH', '/users/tom', { publicKeys: [key.line] });
});

/** 1 000 with `PARTNERS=1000`, which prints what they cost; fewer are enough for every run of the tests. */
const asked = process.env['PARTNERS'];
const partners = Number(asked ?? '12');

/** A machine with other work to do takes some seconds for a partner. */
const patienceMs = 600_000 + partners * 2_000;

it(
  'partners that are created over the API while transfers run can work at once, and no transfer is lost',
  async () => {
    const stored = new Map<string, string>();
    const [creationTimes, transferTimes] = [createStopwatch(), createStopwatch()];
    const processorSeconds = () => processorSecondsOf(processesOf(platform.folder));
    const before = processorSeconds();
    const isOver = new AbortController();
    /** Uploads one file after the other until all partners are there. */
    const transfer = async (gateway: string, put: (path: string, content: string) => Promise<void>) => {
      for (let number = 0; !isOver.signal.aborted; number += 1) {
        const [path, content] = [`/inbox/${gateway}-${number}.txt`, `${gateway} ${number} ${'x'.repeat(20_000)}`];
        await transferTimes.time(() => put(path, content));
        stored.set(path, content);
      }
    };
    const http = async (url: string, user = 'tom') => {
      const client = createHttpClient(url);
      const login = await client.post('/2.0/login/basic', { form: { username: user, password } });
      expect([user, login.status]).toEqual([user, 200]);
      return {
        client,
        put: async (path: string, body: string) => {
          const headers = { 'content-type': 'text/plain' };
          expect((await client.put(`/2.0/files${path}`, { body, headers })).status).toBe(201);
        },
      };
    };
    const sftp = async (port: number) => {
      const { sftp: connection } = await connectSftp({ port, user: 'tom', password, privateKey: key.secret });
      return (path: string, content: string) =>
        new Promise<void>((resolve, reject) => {
          connection.writeFile(path, content, (error) => (error ? reject(error) : resolve()));
        });
    };
    const [first, second] = [await http(platform.url), await http(peers.filesUrl)];
    const transfers = [
      transfer('http1', first.put),
      transfer('http2', second.put),
      transfer('sftp1', await sftp(platform.sftpPort)),
      transfer('sftp2', await sftp(peers.sftpPort)),
    ];
    const create = async (number: number) => {
      const name = `partner-${number}`;
      // A token is valid for a quarter of an hour.
      if (number % 100 === 99) bearer = await platform.adminToken();
      await change('POST', '/actors', { name, type: 'Partner' });
      await change('POST', '/users', { name, actor: name, password });
      await change('POST', '/virtual-file-systems', { name: `${name}-files`, actor: name, folders: ['/inbox'] });
      for (const contract of connectToServers([{ user: name, vfs: `${name}-files` }]))
        await change('POST', '/connection-contracts', { ...contract, actor: name });
      if (number % 10 === 0) await (await http(peers.filesUrl, name)).put('/inbox/first.txt', name);
    };
    const numbers = Array.from({ length: partners }, (_, index) => index).values();
    const creating = Array.from({ length: 4 }, async () => {
      for (const number of numbers) await creationTimes.time(() => create(number));
    });
    await Promise.all(creating).finally(() => isOver.abort());
    await Promise.all(transfers);

    if (asked !== undefined) {
      const cost = (processorSeconds() - before).toFixed(0);
      process.stdout.write(`${partners} partners, ${stored.size} transfers, ${cost} s of processor time\n`);
      process.stdout.write(`create a partner: ${creationTimes.summary()}\none transfer: ${transferTimes.summary()}\n`);
    }
    expect(stored.size).toBeGreaterThanOrEqual(4);
    for (const [path, content] of stored) expect((await second.client.get(`/2.0/files${path}`)).text).toBe(content);
    const listed = await platform.http().request('GET', '/platform-application/api/v1/users', {
      bearer,
      query: { name: 'partner-*', maxItems: 1_000 },
    });
    expect((listed.json() as { items: unknown[] }).items).toHaveLength(partners);
  },
  patienceMs,
);

it('a Connection Contract that the API deletes takes the files away on its server within a second', async () => {
  const path = '/connection-contracts/to-http-server';
  const remove = () => change('DELETE', `${path}?actor=umbrella`);
  expect(await refusedInTime(overHttp, remove)).toEqual(overHttp);
  for (const gateway of overSftp) expect(await looks[gateway]?.()).toBe(true);
});
