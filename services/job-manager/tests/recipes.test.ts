import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import { openDirectory } from '@waybill/directory/open-directory';
import { type Clamd, startClamd } from '@waybill/test-kit/clamav/start-clamd';
import { type Gnupg, startGnupg } from '@waybill/test-kit/gnupg/start-gnupg';
import { type OpensshServer, startOpensshServer } from '@waybill/test-kit/openssh/start-openssh-server';
import { existing } from '@waybill/test-kit/values/existing';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { connectionRig } from './connection-rig.ts';
import { makeZip } from './made-archives.ts';
import { readRecipe, recipeHeadings, type RecipeChanges } from './read-recipe.ts';
import { type RecipeCounterparts, startRecipeCounterparts } from './recipe-counterparts.ts';

const rig = connectionRig();
const stop = new AsyncDisposableStack();
/** Those of `collect-and-deliver.test.ts` and `missing-file-recipe.test.ts` to begin with. */
const tested = new Set([
  'Collect, decrypt, scan, unpack, convert, deliver and report',
  'A file that is due by nine is missing',
]);
let counterparts: RecipeCounterparts;
let partner: OpensshServer;
let clamd: Clamd;
let gnupg: Gnupg;

beforeAll(async () => {
  partner = stop.use(await startOpensshServer());
  clamd = stop.use(await startClamd());
  gnupg = stop.use(await startGnupg());
  counterparts = stop.use(await startRecipeCounterparts());
  await rig.setSecret('acme-key', partner.privateKey);
  await rig.setSecret('hook-key', 'the key of the hooks');
  await rig.setSecret('shop-token', 'the token of the shop');
}, 120_000);
afterAll(() => stop.disposeAsync());
beforeEach(() => {
  counterparts.forget();
});

/** Puts a recipe into force, with the folders that it names. */
async function apply(heading: string, changes: RecipeChanges = {}): Promise<void> {
  tested.add(heading);
  const recipe = await readRecipe(heading, changes);
  await rig.platform.apply(recipe);
  for (const { name, folders } of recipe.actors.flatMap(({ virtualFileSystems }) => virtualFileSystems)) {
    await rig.platform.filebox.ensureFolders(await idOf(name), folders.map(parseVirtualPath));
  }
}

const idOf = async (vfs: string): Promise<string> =>
  existing(await openDirectory({ db: rig.platform.db, cacheMs: 0 }).findVfsByName(vfs)).id;

/** A file, as soon as it is there. */
const arrives = (path: string): Promise<Buffer> =>
  waitFor(() => rig.platform.read(path), { what: path, timeoutMs: 60_000 });

/** The names in a folder of another partner, as soon as there are so many. */
async function delivered(vfs: string, count: number): Promise<string[]> {
  const id = await idOf(vfs);
  const names = async (): Promise<string[]> =>
    (await rig.platform.filebox.list(id, parseVirtualPath('/inbox'), { type: 'files', limit: 100 })).entries
      .map(({ name }) => name)
      .toSorted();
  await waitFor(async () => (await names()).length >= count, { what: `${count} files of ${vfs}`, timeoutMs: 60_000 });
  return names();
}

const mailed = (): Promise<string> => waitFor(() => counterparts.mails[0], { what: 'a mail', timeoutMs: 60_000 });
const isGone = (path: string): Promise<unknown> =>
  waitFor(async () => (await rig.platform.read(path)) === undefined, { what: `${path} to be gone`, timeoutMs: 60_000 });
const deliver = (name: string, content: string | Buffer): Promise<void> =>
  rig.platform.deliver(`/inbox/${name}`, Buffer.from(content));
const onDemand = {
  'trigger: { type: Time, cron: 0 18 * * *, timeZone: Europe/Berlin, catchUp: last }': 'trigger: { type: OnDemand }',
};
const server = { host: '127.0.0.1' };

it('compresses and archives by month', async () => {
  await apply('Compress and archive by month');
  await deliver('march.csv', 'a;b\n');
  await isGone('/inbox/march.csv');
  const months = await rig.platform.filebox.list(rig.platform.vfsId, parseVirtualPath('/archive'), { limit: 10 });
  const [month] = months.entries;
  expect(month?.name).toMatch(/^\d{4}-\d{2}$/u);
  expect(gunzipSync(existing(await rig.platform.read(`/archive/${month?.name}/march.csv.gz`))).toString()).toBe(
    'a;b\n',
  );
});

it('routes by name to two partners, with receipts', async () => {
  await apply('Route by name to two partners, with receipts');
  for (const name of ['orders-1', 'invoices-1', 'other']) await deliver(name, name);
  expect(await delivered('globex-files', 1)).toEqual(['orders-1']);
  expect(await delivered('initech-files', 1)).toEqual(['invoices-1']);
  await arrives('/done/invoices-1');
  const receipt: unknown = JSON.parse((await arrives('/receipts/orders-1.json')).toString());
  const sha256 = createHash('sha256').update('orders-1').digest('hex');
  expect(receipt).toMatchObject({ deliveredTo: 'globex-files:/inbox/orders-1', sha256 });
  expect((await arrives('/inbox/other')).toString()).toBe('other');
});

it('unzips an upload and delivers each entry', async () => {
  await apply('Unzip an upload and deliver each entry');
  const names = ['a.csv', 'b.csv', 'c.csv'];
  await deliver('good.zip', makeZip(names.map((name) => ({ name, data: Buffer.from(name) }))));
  await deliver('bad.zip', makeZip([{ name: '../a.csv', data: Buffer.from('x') }]));
  await arrives('/done/good.zip');
  await arrives('/failed/bad.zip');
  expect(await delivered('globex-files', 3)).toEqual(expect.arrayContaining(names));
});

it('encrypts for a partner and pushes to their server', async () => {
  const { folder, port, userName: username, hostKey } = partner;
  const key = await gnupg.generate('acme@acme.test', 'ecc');
  await apply('Encrypt for a partner and push to their SFTP server', {
    connections: { 'acme-sftp': { ...server, port, username, hostKeys: [hostKey] } },
    texts: { "'${ACME_PGP_KEY}'": JSON.stringify(key.publicKey), 'target: /incoming/': `target: ${folder}/` },
  });
  const content = randomBytes(100_000);
  await deliver('secret.bin', content);
  await isGone('/inbox/secret.bin');
  expect(await readdir(folder)).toEqual(['secret.bin.pgp']);
  const { out } = await gnupg.run(['--decrypt'], await readFile(join(folder, 'secret.bin.pgp')));
  expect(out.equals(content)).toBe(true);
});

it('verifies a checksum side file before accepting', async () => {
  await apply('Verify a checksum side file before accepting');
  const line = (name: string): string => `${createHash('sha256').update('right').digest('hex')}  ${name}\n`;
  await deliver('right.csv', 'right');
  await deliver('right.csv.sha256', line('right.csv'));
  await deliver('wrong.csv', 'wrong');
  await deliver('wrong.csv.sha256', line('wrong.csv'));
  await arrives('/accepted/right.csv');
  await arrives('/refused/wrong.csv');
  expect((await arrives('/refused/wrong.csv.txt')).toString()).toContain('is expected');
});

it('splits a large file by lines', async () => {
  await apply('Split a large file by lines');
  await deliver('list.csv', `head\n${'line\n'.repeat(25_000)}`);
  await arrives('/done/list.csv');
  const lines = await Promise.all(
    ['0001', '0002', '0003'].map(async (number) => (await arrives(`/parts/list-${number}.csv`)).toString().split('\n')),
  );
  expect(lines.map(({ length }) => length)).toEqual([10_002, 10_002, 5_002]);
  expect(lines.map(([first]) => first)).toEqual(['head', 'head', 'head']);
});

it('merges the files of a day', async () => {
  await apply('Merge the files of a day at 18:00', { texts: onDemand });
  await deliver('1.csv', 'head\n1\n');
  await deliver('2.csv', 'head\n2');
  const merge = { contractName: 'reports', actionName: 'merge' };
  const job = (await rig.manager.submit(merge)).json() as { id: number };
  const ended = await rig.manager.reaches(job.id, 'COMPLETED', 60_000);
  const path = existing(ended.steps?.find(({ name }) => name === 'merge')).outputs['path'];
  expect((await arrives(existing(path))).toString()).toContain('head\n1\n2\n');
  await arrives('/done/2.csv');
});

it('quarantines what the virus scanner finds', async () => {
  await apply('Quarantine what the virus scanner finds', {
    connections: {
      scanner: { ...server, port: clamd.port },
      mail: { ...server, port: counterparts.smtpPort, security: 'none' },
    },
  });
  await deliver('clean', 'clean');
  await deliver('infected', clamd.virus);
  await arrives('/accepted/clean');
  expect(await mailed()).toContain('infected');
  await isGone('/inbox/infected');
  expect(await rig.platform.read('/accepted/infected')).toBeUndefined();
});

it('lets a person approve a delivery', async () => {
  await apply('Let a person approve a delivery');
  await deliver('good.xml', 'good');
  await deliver('bad.xml', 'bad');
  const waiting = async (name: string): Promise<number | undefined> => {
    const { jobs } = await rig.manager.jobs({ status: 'SUSPENDED' });
    return jobs.find(({ statusMessage }) => statusMessage.includes(name))?.id;
  };
  for (const [name, decision] of [
    ['good.xml', 'approve'],
    ['bad.xml', 'reject'],
  ] as const) {
    const id = await waitFor(() => waiting(name), { what: `${name} to wait`, timeoutMs: 60_000 });
    const { status } = await rig.manager.client.post(`/job-manager/jobs/${id}/${decision}`, {
      bearer: rig.manager.admin,
    });
    expect(status).toBe(200);
  }
  await arrives('/done/good.xml');
  await arrives('/refused/bad.xml');
  const names = await delivered('globex-files', 1);
  expect(names).toContain('good.xml');
  expect(names).not.toContain('bad.xml');
});

it('confirms by a signed webhook, and mails a failure', async () => {
  counterparts.answer = (response) => void response.writeHead(counterparts.requests.length > 1 ? 410 : 200).end();
  await apply('Confirm by a signed webhook, and mail a failure', {
    connections: {
      hooks: { url: `http://127.0.0.1:${counterparts.httpPort}/hooks` },
      mail: { ...server, port: counterparts.smtpPort, security: 'none' },
    },
  });
  await deliver('confirmed', 'x');
  const first = await waitFor(() => counterparts.requests[0], { what: 'the webhook', timeoutMs: 60_000 });
  expect(first.headers['webhook-signature']).toMatch(/^v1,/u);
  expect(JSON.parse(first.body)).toMatchObject({
    type: 'file.delivered',
    data: { name: 'confirmed', size: 1 },
  });
  await deliver('refused', 'x');
  expect(await mailed()).toContain('confirm: ');
  expect(await delivered('globex-files', 2)).toEqual(expect.arrayContaining(['confirmed', 'refused']));
});

it('pulls from an HTTP API into an inbox', async () => {
  counterparts.answer = (response) => void response.end('[{"order":1}]');
  await apply('Pull from an HTTP API into an inbox', {
    connections: { shop: { url: `http://127.0.0.1:${counterparts.httpPort}/api`, bearerToken: undefined } },
    texts: {
      'trigger: { type: Time, cron: 0 6 * * *, timeZone: Europe/Berlin, catchUp: last }': 'trigger: { type: OnDemand }',
    },
  });
  const job = (await rig.manager.submit({ contractName: 'orders', actionName: 'fetch' })).json() as { id: number };
  const ended = await rig.manager.reaches(job.id, 'COMPLETED', 60_000);
  const path = existing(existing(ended.steps?.[0]).outputs['path']);
  expect(path).toMatch(/^\/inbox\/orders-\d{4}-\d{2}-\d{2}\.json$/u);
  expect((await arrives(path)).toString()).toBe('[{"order":1}]');
  expect(counterparts.requests[0]?.url).toMatch(/^\/api\/orders\?day=\d{4}-\d{2}-\d{2}$/u);
});

it('has a test for every recipe of the page', async () => {
  expect([...tested].toSorted()).toEqual((await recipeHeadings()).toSorted());
});
