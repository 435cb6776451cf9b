import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deleteFileEndpoint } from '@waybill/contracts/endpoints/files/elements/delete-file';
import { listFolderEndpoint } from '@waybill/contracts/endpoints/files/elements/list-folder';
import { uploadFileEndpoint } from '@waybill/contracts/endpoints/files/uploads/upload-file';
import { release } from '@waybill/platform-client/requests/release';
import { createClient, type PlatformClient } from '@waybill/platform-client/create-client';
import { openLoginSession, partnerLogin } from '@waybill/platform-client/credentials/partner-login';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readRecords } from '../audited/read-records.ts';
import { oneLoggedIn } from '../command-line/one-platform.ts';
import { createOperator } from '../operator.ts';
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts';

const site = oneLoggedIn();
const resources = new AsyncDisposableStack();
let proxy: CuttingProxy;
let acme: PlatformClient;

beforeAll(async () => {
  proxy = resources.use(await startCuttingProxy(site.platform.url));
  for (const [user, ...more] of [['admin'], ['acme', '--partner']] as const) {
    const login = ['login', '--url', proxy.url, '--user', user, '--context', `${user}-cut`, ...more];
    expect(await site.waybill(login, { input: `${user}-demo` })).toMatchObject({ code: 0 });
  }
  const logInAgain = (call: PlatformClient['call']) => openLoginSession(call, 'acme', 'acme-demo');
  acme = resources.use(createClient({ url: proxy.url, credentials: partnerLogin({ logInAgain }) }));
  await acme.call(listFolderEndpoint, { params: { path: 'inbox' } });
});
afterAll(() => resources.disposeAsync());

/** What `act` returns, of whose responses the first is lost. */
async function losingOne<T>(act: () => Promise<T>): Promise<T> {
  const before = proxy.cuts();
  proxy.loseResponses(1);
  const outcome = await act();
  expect(proxy.cuts() - before).toBe(1);
  return outcome;
}

const records = async () => readRecords(site.platform, await site.platform.adminToken());
const uploadsOf = async (path: string) =>
  (await records()).filter(({ auditCode, entityName }) => auditCode === 'AUD0041A' && entityName === path).length;

it('sessions and the audit log show which program logged in', async () => {
  const sessions = (await site.json('sessions', 'list', '--protocol', 'HTTP')) as { client: string }[];
  const programs = new Set(sessions.map(({ client }) => client));
  expect(programs).toEqual(new Set([`waybill/${release}`, `waybill-client/${release}`]));
  await waitFor(
    async () => {
      const logins = (await records()).filter(({ auditOperation }) => auditOperation.endsWith('LOGIN'));
      const recorded = new Set(logins.map(({ context }) => context['client']));
      return [...programs].every((program) => recorded.has(program));
    },
    { what: 'the records of the logins' },
  );
});

it.each([
  ['without a condition', {}],
  ['that must not replace a file', { 'if-none-match': '*' }],
])('an upload %s whose response is lost is one file, one event and one job', async (name, headers) => {
  const operator = createOperator(site.platform.url);
  const jobs = async () => (await operator.jobs({ contractAction: 'compress-on-arrival', maxItems: 1_000 })).length;
  const before = await jobs();
  const path = `inbox/${name}.csv`;
  const upload = (target: string, more: object = {}) =>
    acme.call(uploadFileEndpoint, { params: { path: target }, headers: more, body: Buffer.from('id,amount\n') });
  const { status } = await losingOne(() => upload(path, headers));
  expect(status).toBe(201);
  await upload(`inbox/after ${name}.csv`);
  // Events are handled in their order: that of a second upload would have been before this one.
  await waitFor(async () => (await uploadsOf(`/inbox/after ${name}.csv`)) === 1 && (await jobs()) >= before + 2, {
    what: 'the job and the record of the last upload',
  });
  expect([await uploadsOf(`/${path}`), await jobs()]).toEqual([1, before + 2]);
});

it('a deletion whose response is lost is done, over the client and with `waybill`', async () => {
  await writeFile(join(site.home, 'twice.csv'), 'id\n');
  await site.done('files', 'put', 'twice.csv', '/inbox/');
  const removal = await losingOne(() => acme.call(deleteFileEndpoint, { params: { path: 'inbox/twice.csv' } }));
  expect(removal).toMatchObject({ status: 200, body: { result: 'ok' } });
  await site.done('files', 'put', 'twice.csv', '/inbox/');
  await site.done('files', 'mkdir', '/inbox/twice');
  await site.waybill(['objects', 'create', 'actors'], { input: 'name: twice\ntype: Partner\n' });
  await site.done('api-key', 'create', 'twice');
  const [key] = (await site.json('api-key', 'list')) as { id: number }[];
  await site.waybill(['login', '--url', site.platform.url, '--user', 'admin', '--context', 'other'], {
    input: 'admin-demo',
  });
  const logins = (await site.json('logins', 'list')) as { id: number }[];
  const newest = Math.max(...logins.map(({ id }) => id));
  for (const [context, ...args] of [
    ['acme-cut', 'files', 'rm', '/inbox/twice.csv'],
    ['acme-cut', 'files', 'rm', '/inbox/twice', '--recursive'],
    ['admin-cut', 'objects', 'delete', 'actors', 'twice'],
    ['admin-cut', 'api-key', 'revoke', String(key?.id)],
    ['admin-cut', 'logins', 'revoke', String(newest)],
  ] as const) {
    const command = [...args, '--context', context];
    expect(await losingOne(() => site.waybill(command)), args.join(' ')).toMatchObject({ code: 0, err: '' });
    expect(await site.waybill(command), args.join(' ')).toMatchObject({ code: 1, out: '' });
  }
});
