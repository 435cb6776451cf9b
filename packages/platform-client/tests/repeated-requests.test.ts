import { Readable } from 'node:stream';
import { logInEndpoint } from '@waybill/contracts/endpoints/access/log-in';
import { storeSecretEndpoint } from '@waybill/contracts/endpoints/administration/secret-endpoints';
import { changeOwnPasswordEndpoint } from '@waybill/contracts/endpoints/files/account/change-own-password';
import { uploadFileEndpoint } from '@waybill/contracts/endpoints/files/uploads/upload-file';
import { abortJobEndpoint } from '@waybill/contracts/endpoints/jobs/abort-job';
import { submitJobEndpoint } from '@waybill/contracts/endpoints/jobs/submit-job';
import { listQueuesEndpoint } from '@waybill/contracts/endpoints/queues/list-queues';
import { createClient, type PlatformClient } from '@waybill/platform-client/create-client';
import { accessToken } from '@waybill/platform-client/credentials/credentials';
import { expect, it } from 'vitest';
import { against } from './call-against.ts';
import { type Answer, json, problem, reset, startScriptedServer } from './scripted-server.ts';

const queues = json(200, { queues: [] });

const list = (client: PlatformClient) => client.call(listQueuesEndpoint);
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
  const abort = (client: PlatformClient) => client.call(abortJobEndpoint, { params: { id: 1 } });
  expect(await against([failure, queues], abort)).toEqual([1, code]);
  const submit = (client: PlatformClient) => client.call(submitJobEndpoint, { body: submission });
  expect(await against([failure, queues], submit)).toEqual([1, code]);
});

it('a POST is repeated with the value by which its contract recognises a repetition', async () => {
  const job = problem(409, 'job_removed');
  const submit = (client: PlatformClient) =>
    client.call(submitJobEndpoint, { body: { ...submission, extIPID: 'once' } });
  expect(await against([reset, reset, job], submit)).toEqual([3, 'job_removed']);
});

it('a change with a condition is not repeated: its own first arrival could refuse it', async () => {
  const put = (headers: object) => (client: PlatformClient) =>
    client.call(storeSecretEndpoint, { params: { name: 'a' }, headers, body: { value: 'x' } });
  expect(await against([reset], put({ 'if-none-match': '*' }))).toEqual([1, 'interrupted']);
  expect(await against([reset], put({ 'if-match': '*' }))).toEqual([1, 'interrupted']);
  expect(await against([reset], put({}))).toEqual([4, 'interrupted']);
});

it('a PUT that its contract does not repeat is sent once', async () => {
  const body = { username: 'a', currentPassword: 'b', newPassword: 'a long password' };
  const change = (client: PlatformClient) => client.call(changeOwnPasswordEndpoint, { body });
  expect(await against([reset], change)).toEqual([1, 'interrupted']);
});

it('a body that is a stream is sent once', async () => {
  const put = (client: PlatformClient) =>
    client.call(uploadFileEndpoint, { params: { path: 'a' }, body: Readable.from(['x']) });
  expect(await against([reset], put)).toEqual([1, 'interrupted']);
});

it('Retry-After is waited for, also by a POST that was refused by 429, unless it asks for too much', async () => {
  const login = (client: PlatformClient) => client.call(logInEndpoint, { body: { username: 'a', password: 'b' } });
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
  const run = (client: PlatformClient) => client.call(listQueuesEndpoint, { signal });
  await using server = await startScriptedServer([() => undefined]);
  await using client = createClient({ url: server.url, credentials: accessToken('t') });
  await expect(run(client)).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(server.requests).toHaveLength(1);
});
