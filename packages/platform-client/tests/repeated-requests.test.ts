import { Readable } from 'node:stream';
import { revokeApiKeyEndpoint } from '@waybill/contracts/endpoints/access/api-key-endpoints';
import { logInEndpoint } from '@waybill/contracts/endpoints/access/log-in';
import { deleteFileEndpoint } from '@waybill/contracts/endpoints/files/elements/delete-file';
import { uploadFileEndpoint } from '@waybill/contracts/endpoints/files/uploads/upload-file';
import { abortJobEndpoint } from '@waybill/contracts/endpoints/jobs/abort-job';
import { submitJobEndpoint } from '@waybill/contracts/endpoints/jobs/submit-job';
import { listQueuesEndpoint } from '@waybill/contracts/endpoints/queues/list-queues';
import { release } from '@waybill/contracts/values/release';
import { createClient } from '@waybill/platform-client/create-client';
import { accessToken } from '@waybill/platform-client/credentials/credentials';
import { expect, it } from 'vitest';
import { type Answer, json, problem, reset, startScriptedServer } from './scripted-server.ts';

const repetition = { attempts: 4, firstDelayMs: 1, longestDelayMs: 1_500 };
const queues = json(200, { queues: [] });

/** Calls with a client against a server with these answers; gives the number of requests, and what came of the call. */
async function against(
  answers: readonly Answer[],
  run: (client: ReturnType<typeof createClient>) => Promise<unknown>,
): Promise<readonly [requests: number, outcome: unknown]> {
  await using server = await startScriptedServer(answers);
  await using client = createClient({ url: server.url, credentials: accessToken('t'), repetition, timeoutMs: 500 });
  const outcome = await run(client).then(
    (result) => (result as { status: number }).status,
    (error: unknown) => (error as { code: string }).code,
  );
  return [server.requests.length, outcome];
}

const list = (client: ReturnType<typeof createClient>) => client.call(listQueuesEndpoint);
const submission = { contractName: 'a', actionName: 'b' };

it.each<[string, Answer]>([
  ['a connection that is reset', reset],
  ['503', problem(503, 'service_unavailable')],
  ['502 of a load balancer without a body', (response) => response.writeHead(502).end()],
  ['silence', () => undefined],
  ['an answer that is cut off', (response) => response.writeHead(200, { 'content-length': '99' }).end('{')],
])('a GET is repeated after %s', async (_, failure) => {
  expect(await against([failure, failure, queues], list)).toEqual([3, 200]);
});

it('a GET is given up after four attempts', async () => {
  expect(await against([reset], list)).toEqual([4, 'interrupted']);
  expect(await against([problem(503, 'service_unavailable')], list)).toEqual([4, 'service_unavailable']);
});

it.each([400, 403, 404, 409, 500])('an answer with %i is not repeated', async (status) => {
  expect(await against([problem(status, 'internal_error'), queues], list)).toEqual([1, 'internal_error']);
});

it.each<[string, Answer, string]>([
  ['a connection that is reset', reset, 'interrupted'],
  ['503', problem(503, 'service_unavailable'), 'service_unavailable'],
  ['silence', () => undefined, 'timed_out'],
])('a POST is not repeated after %s, because it may have had an effect', async (_, failure, code) => {
  const abort = (client: ReturnType<typeof createClient>) => client.call(abortJobEndpoint, { params: { id: 1 } });
  expect(await against([failure, queues], abort)).toEqual([1, code]);
  const submit = (client: ReturnType<typeof createClient>) => client.call(submitJobEndpoint, { body: submission });
  expect(await against([failure, queues], submit)).toEqual([1, code]);
});

it('a POST is repeated with the value by which its contract recognises a repetition', async () => {
  const job = problem(409, 'job_removed');
  const submit = (client: ReturnType<typeof createClient>) =>
    client.call(submitJobEndpoint, { body: { ...submission, extIPID: 'once' } });
  expect(await against([reset, reset, job], submit)).toEqual([3, 'job_removed']);
});

it('a change with a condition is not repeated: its own first arrival could refuse it', async () => {
  const put = (headers: object) => (client: ReturnType<typeof createClient>) =>
    client.call(uploadFileEndpoint, { params: { path: 'a' }, headers, body: Buffer.from('x') });
  expect(await against([reset], put({ 'if-none-match': '*' }))).toEqual([1, 'interrupted']);
  expect(await against([reset], put({ 'if-none-match': '*', 'idempotency-key': 'k' }))).toEqual([4, 'interrupted']);
  expect(await against([reset], put({}))).toEqual([4, 'interrupted']);
});

it('an upload is repeated with one key for all attempts, another for each call, and the one that is given', async () => {
  await using server = await startScriptedServer([reset]);
  await using client = createClient({ url: server.url, credentials: accessToken('t'), repetition });
  const put = (headers: object) =>
    client.call(uploadFileEndpoint, { params: { path: 'a' }, headers, body: Buffer.from('x') }).catch(() => undefined);
  for (const headers of [{}, {}, { 'idempotency-key': 'own' }, { 'if-match': '*' }]) await put(headers);
  const keys = server.headers.map((headers) => headers['idempotency-key']);
  expect(keys).toHaveLength(13);
  expect([new Set(keys.slice(0, 4)).size, new Set(keys.slice(4, 8)).size, new Set(keys.slice(0, 8)).size]).toEqual([
    1, 1, 2,
  ]);
  expect(keys.slice(8)).toEqual(['own', 'own', 'own', 'own', undefined]);
});

it('a deletion whose answer was lost is done when its repetition finds nothing, and not otherwise', async () => {
  const missing = problem(404, 'entity_unknown');
  const revoke = (client: ReturnType<typeof createClient>) => client.call(revokeApiKeyEndpoint, { params: { id: 1 } });
  expect(await against([reset, missing], revoke)).toEqual([2, 204]);
  expect(await against([missing], revoke)).toEqual([1, 'entity_unknown']);
  expect(await against([problem(429, 'too_many_requests'), missing], revoke)).toEqual([2, 'entity_unknown']);

  await using server = await startScriptedServer([reset, problem(404, 'file_not_found')]);
  await using client = createClient({ url: server.url, credentials: accessToken('t'), repetition });
  const remove = () => client.call(deleteFileEndpoint, { params: { path: 'a' } });
  await expect(remove()).rejects.toMatchObject({ code: 'file_not_found', isRepetition: true });
  await expect(remove()).rejects.toMatchObject({ code: 'file_not_found', isRepetition: false });
});

it('requests name the program and its release', async () => {
  await using server = await startScriptedServer([queues]);
  await using client = createClient({ url: server.url, credentials: accessToken('t') });
  await list(client);
  expect(server.headers[0]?.['user-agent']).toBe(`waybill/${release}`);
});

it('a body that is a stream is sent once', async () => {
  const put = (client: ReturnType<typeof createClient>) =>
    client.call(uploadFileEndpoint, { params: { path: 'a' }, body: Readable.from(['x']) });
  expect(await against([reset], put)).toEqual([1, 'interrupted']);
});

it('Retry-After is waited for, also by a POST that was refused by 429, unless it asks for too much', async () => {
  const login = (client: ReturnType<typeof createClient>) =>
    client.call(logInEndpoint, { body: { username: 'a', password: 'b' } });
  const tokens = json(200, { accessToken: 'a', refreshToken: 'r', tokenType: 'Bearer', expiresIn: 900 });
  const begun = performance.now();
  expect(await against([problem(429, 'too_many_requests', { 'retry-after': '1' }), tokens], login)).toEqual([2, 200]);
  expect(performance.now() - begun).toBeGreaterThan(990);
  expect(await against([problem(429, 'too_many_requests', { 'retry-after': '600' }), tokens], login)).toEqual([
    1,
    'too_many_requests',
  ]);
});

it('an aborted call ends at once, and is not repeated', async () => {
  const signal = AbortSignal.timeout(50);
  const run = (client: ReturnType<typeof createClient>) => client.call(listQueuesEndpoint, { signal });
  await using server = await startScriptedServer([() => undefined]);
  await using client = createClient({ url: server.url, credentials: accessToken('t') });
  await expect(run(client)).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(server.requests).toHaveLength(1);
});
