import { createHttpClient, type HttpClient } from '@waybill/test-kit/create-http-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type PlatformProcess, startPlatformProcess } from './platform-process.ts';
import { connectToServers } from './site-configuration.ts';

const resources = new AsyncDisposableStack();
let platform: PlatformProcess;
let bearer: string;

beforeAll(async () => {
  platform = resources.use(await startPlatformProcess());
  bearer = await platform.adminToken();
  for (const actor of ['umbrella', 'stark']) await createPartner(actor);
});
afterAll(() => resources.disposeAsync());

async function change(method: string, path: string, json?: object): Promise<void> {
  const answer = await platform.http().request(method, `/platform-application/api/v1${path}`, { bearer, json });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
}

/** A partner whose group `all` has an inbox, and no users. */
async function createPartner(actor: string): Promise<void> {
  await change('POST', '/actors', { name: actor, type: 'Partner' });
  await change('POST', '/virtual-file-systems', { name: `${actor}-files`, actor, folders: ['/inbox'] });
  await change('POST', '/groups', { name: 'all', actor });
  for (const contract of connectToServers([{ group: 'all', vfs: `${actor}-files` }]))
    await change('POST', '/connection-contracts', { ...contract, actor });
}

async function logInBobOf(actor: string): Promise<HttpClient> {
  const password = `the password of ${actor} 7`;
  await change('POST', '/users', { name: 'bob', actor, password, groups: ['all'] });
  const http = createHttpClient(platform.url);
  expect((await http.post('/2.0/login/basic', { form: { username: 'bob', password } })).status).toBe(200);
  return http;
}

const transfersOf = async (http: HttpClient) =>
  z
    .object({ transfers: z.array(z.looseObject({ path: z.string().nullable(), receipt: z.unknown() })) })
    .parse((await http.get('/2.0/account/transfers')).json()).transfers;
const sessionsOf = async (http: HttpClient) =>
  z
    .object({ sessions: z.array(z.object({ id: z.string(), current: z.boolean() })) })
    .parse((await http.get('/2.0/account/sessions')).json()).sessions;

it('a user who gets the name of a deleted user sees none of the transfers and sessions of the former one', async () => {
  const former = await logInBobOf('umbrella');
  expect((await former.put('/2.0/files/inbox/merger.txt', { body: 'secret' })).status).toBe(201);
  await expect.poll(async () => (await transfersOf(former)).map(({ path }) => path)).toEqual(['/inbox/merger.txt']);
  const [formerSession] = await sessionsOf(former);
  await change('DELETE', '/users/bob');

  const newcomer = await logInBobOf('stark');
  expect(await transfersOf(newcomer)).toEqual([]);
  expect(await sessionsOf(newcomer)).toMatchObject([{ current: true }]);
  const ended = await newcomer.delete(`/2.0/account/sessions/${formerSession?.id ?? ''}`);
  expect(ended.json()).toMatchObject({ code: 'own_session_unknown' });

  expect((await newcomer.put('/2.0/files/inbox/own.txt', { body: 'own' })).status).toBe(201);
  await expect.poll(() => transfersOf(newcomer)).toMatchObject([{ path: '/inbox/own.txt', receipt: { size: 3 } }]);
});
