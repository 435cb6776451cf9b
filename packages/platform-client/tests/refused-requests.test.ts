import { makeSelfSigned } from '@waybill/certificates/make-self-signed';
import { listFolderEndpoint } from '@waybill/contracts/endpoints/files/elements/list-folder';
import { findQueueEndpoint } from '@waybill/contracts/endpoints/queues/find-queue';
import { listQueuesEndpoint } from '@waybill/contracts/endpoints/queues/list-queues';
import { createClient } from '@waybill/platform-client/create-client';
import { accessToken } from '@waybill/platform-client/credentials/credentials';
import { expect, it } from 'vitest';
import { type Answer, json, startScriptedServer } from './scripted-server.ts';

const once = { attempts: 1, firstDelayMs: 1, longestDelayMs: 1 };

async function refusalBy(
  answer: Answer,
  endpoint: typeof listQueuesEndpoint | typeof listFolderEndpoint,
): Promise<unknown> {
  await using server = await startScriptedServer([answer]);
  await using client = createClient({ url: server.url, credentials: accessToken('t'), repetition: once });
  return await client.call(endpoint as typeof listQueuesEndpoint).catch((error: unknown) => error);
}

it('a refusal has its code, its status, the wrong fields, and the id of the request', async () => {
  const errors = [{ field: 'name', message: 'is too long' }];
  const body = {
    type: 'about:blank',
    title: 't',
    status: 400,
    detail: 'd',
    code: 'validation_failed',
    errors,
    requestId: 'r9',
  };
  expect(await refusalBy(json(400, body), listQueuesEndpoint)).toMatchObject({
    name: 'PlatformError',
    message: 'd',
    code: 'validation_failed',
    status: 400,
    fields: errors,
    requestId: 'r9',
    remedy: 'Correct the fields that `errors` names.',
  });
});

it.each([
  [403, 'No list permission', 'no_list_permission'],
  [404, "Path doesn't exist", 'path_not_found'],
  [404, "Path '/a' doesn't exist", 'path_not_found'],
  [404, "File 'a b' doesn't exist", 'file_not_found'],
  [401, 'Connection contract not configured', 'connection_contract_missing'],
  [418, 'Words of another release', 'answer_unreadable'],
])('a failure of the file interface has a code, too: %i %s', async (status, message, code) => {
  const body = { result: 'failed', timestamp: '2026-03-02T08:15:30.410Z', message, errorType: 'io' };
  expect(await refusalBy(json(status, body), listFolderEndpoint)).toMatchObject({ code, status, message });
});

it.each<[string, Answer, string]>([
  ['a page of HTML', (response) => response.writeHead(404).end('<h1>nginx</h1>'), 'answer_unreadable'],
  ['JSON of another form', json(200, { lists: [] }), 'answer_unreadable'],
  ['broken JSON', (response) => response.end('{'), 'answer_unreadable'],
  ['an unknown code', json(400, { code: 'no_such_code' }), 'answer_unreadable'],
  ['no HTTP', (_, { socket }) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'), 'answer_unreadable'],
])('%s is an error, not a crash', async (_, answer, code) => {
  expect(await refusalBy(answer, listQueuesEndpoint)).toMatchObject({ name: 'PlatformError', code });
});

it('names the address where nothing answers, and refuses one of another kind', async () => {
  await using client = createClient({ url: 'http://127.0.0.1:9', credentials: accessToken('t'), repetition: once });
  await expect(client.call(listQueuesEndpoint)).rejects.toMatchObject({
    code: 'unreachable',
    message: 'http://127.0.0.1:9 cannot be reached (ECONNREFUSED)',
  });
  for (const url of ['ftp://a', 'files.example.org', ''])
    expect(() => createClient({ url })).toThrow(/is not the address/u);
});

it('a certificate of an own authority is trusted if it is given, and only then', async () => {
  const pair = await makeSelfSigned({ names: ['127.0.0.1'], days: 1 });
  await using server = await startScriptedServer([json(200, { queues: [] })], pair);
  const options = { url: server.url, credentials: accessToken('t'), repetition: once };
  await using stranger = createClient(options);
  await expect(stranger.call(listQueuesEndpoint)).rejects.toMatchObject({ code: 'certificate_not_trusted' });
  await using trusting = createClient({ ...options, ca: pair.cert });
  await expect(trusting.call(listQueuesEndpoint)).resolves.toMatchObject({ status: 200 });
  const other = await makeSelfSigned({ names: ['127.0.0.1'], days: 1 });
  await using mistaken = createClient({ ...options, ca: other.cert });
  await expect(mistaken.call(listQueuesEndpoint)).rejects.toMatchObject({ code: 'certificate_not_trusted' });
});

it('every character of a parameter arrives as it is', async () => {
  await using server = await startScriptedServer([json(404, {})]);
  await using client = createClient({ url: `${server.url}/prefix/`, credentials: accessToken('t'), repetition: once });
  for (const name of ['a/b', 'ä ?#%', '..']) {
    await client.call(findQueueEndpoint, { params: { name } }).catch(() => undefined);
  }
  await client
    .call(listFolderEndpoint, { params: { path: '/in box/ü/..' }, query: { filter: 'a&b=c', limit: '5' } })
    .catch(() => undefined);
  expect(server.requests).toEqual([
    'GET /prefix/job-manager/queues/a%2Fb',
    'GET /prefix/job-manager/queues/%C3%A4%20%3F%23%25',
    'GET /prefix/job-manager/queues/%2E%2E',
    'GET /prefix/2.0/directories/in%20box/%C3%BC/%2E%2E?filter=a%26b%3Dc&limit=5',
  ]);
});

it('without credentials, what needs a login is refused before a request', async () => {
  await using client = createClient({ url: 'http://127.0.0.1:9' });
  await expect(client.call(listQueuesEndpoint)).rejects.toMatchObject({ code: 'not_authenticated' });
});
