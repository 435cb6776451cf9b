import { revokeApiKeyEndpoint } from '@waybill/contracts/endpoints/access/api-key-endpoints';
import { resourceEndpoints } from '@waybill/contracts/endpoints/administration/resource-endpoints';
import { administeredResources } from '@waybill/contracts/endpoints/administration/resource-table';
import { deleteFileEndpoint } from '@waybill/contracts/endpoints/files/elements/delete-file';
import { beginResumableUploadEndpoint } from '@waybill/contracts/endpoints/files/resumable/begin-resumable-upload';
import { uploadFileEndpoint } from '@waybill/contracts/endpoints/files/uploads/upload-file';
import { uploadFileWithMetadataEndpoint } from '@waybill/contracts/endpoints/files/uploads/upload-file-with-metadata';
import { createClient, type PlatformClient } from '@waybill/platform-client/create-client';
import { accessToken } from '@waybill/platform-client/credentials/credentials';
import { describe, expect, it } from 'vitest';
import { against, repetition } from './call-against.ts';
import { json, problem, reset, startScriptedServer } from './scripted-server.ts';

describe('an upload', () => {
  const body = Buffer.from('x');
  const params = { path: 'a' };
  type Call = (client: PlatformClient, headers: object) => Promise<unknown>;

  it.each<[string, Call]>([
    ['PUT', ({ call }, headers) => call(uploadFileEndpoint, { params, headers, body })],
    ['POST', ({ call }, headers) => call(uploadFileWithMetadataEndpoint, { params, headers, body })],
    ['resumable', ({ call }, headers) => call(beginResumableUploadEndpoint, { headers })],
  ])('is repeated with a key of its own, the same for all attempts, even with a condition: %s', async (_, upload) => {
    await using server = await startScriptedServer([reset]);
    await using client = createClient({ url: server.url, credentials: accessToken('t'), repetition });
    const keysOf = async (headers: object) => {
      const before = server.headers.length;
      await expect(upload(client, headers)).rejects.toMatchObject({ code: 'interrupted' });
      return server.headers.slice(before).map((each) => each['idempotency-key']);
    };
    const [first, second] = [await keysOf({}), await keysOf({ 'if-none-match': '*' })];
    for (const keys of [first, second]) {
      expect(keys).toHaveLength(4);
      expect(new Set(keys).size).toBe(1);
    }
    expect(first[0]).toMatch(/^[\da-f-]{36}$/u);
    expect(second[0]).not.toBe(first[0]);
    expect(await keysOf({ 'idempotency-key': 'given' })).toEqual(['given', 'given', 'given', 'given']);
  });

  it('keeps its key when the login is renewed', async () => {
    const refused = problem(401, 'not_authenticated');
    await using server = await startScriptedServer([reset, refused, reset]);
    const credentials = { headers: async () => ({}), renew: async () => ({ authorization: 'Bearer new' }) };
    await using client = createClient({ url: server.url, credentials, repetition });
    await expect(client.call(uploadFileEndpoint, { params, body })).rejects.toMatchObject({ code: 'interrupted' });
    expect(server.headers.map(({ authorization }) => authorization).slice(1, 3)).toEqual([undefined, 'Bearer new']);
    expect(new Set(server.headers.map((each) => each['idempotency-key'])).size).toBe(1);
  });
});

describe('a DELETE', () => {
  const gone = problem(404, 'entity_unknown');
  const revoke = ({ call }: PlatformClient) => call(revokeApiKeyEndpoint, { params: { id: 7 } });
  const [resource] = administeredResources;
  if (!resource) throw new Error('there are no objects');
  const { remove } = resourceEndpoints(resource);
  const removeObject = (query: { readonly dryRun?: 'true' }) => (client: PlatformClient) =>
    client.call(remove, { params: { name: 'a' }, query });

  it('that finds nothing is done if an own attempt before was interrupted, and refused otherwise', async () => {
    expect(await against([reset, gone], revoke)).toEqual([2, 204]);
    expect(await against([problem(503, 'service_unavailable'), reset, gone], revoke)).toEqual([3, 204]);
    expect(await against([gone], revoke)).toEqual([1, 'entity_unknown']);
    expect(await against([reset, gone], removeObject({}))).toEqual([2, 204]);
  });

  it('is refused if nothing of it can have arrived, or the refusal has another reason', async () => {
    expect(await against([problem(429, 'too_many_requests'), gone], revoke)).toEqual([2, 'entity_unknown']);
    expect(await against([reset, problem(404, 'route_not_found')], revoke)).toEqual([2, 'route_not_found']);
    expect(await against([reset, (response) => response.writeHead(404).end()], revoke)).toEqual([
      2,
      'answer_unreadable',
    ]);
    expect(await against([reset, gone], removeObject({ dryRun: 'true' }))).toEqual([2, 'entity_unknown']);
  });

  it('has the response of its contract', async () => {
    const timestamp = '2026-03-02T08:15:30.410Z';
    const missing = json(404, { result: 'failed', timestamp, message: "File 'a' doesn't exist", errorType: 'io' });
    await using server = await startScriptedServer([reset, missing]);
    await using client = createClient({ url: server.url, credentials: accessToken('t'), repetition });
    expect(await client.call(deleteFileEndpoint, { params: { path: 'a' } })).toMatchObject({
      status: 200,
      body: { result: 'ok', timestamp: expect.stringMatching(/Z$/u) },
    });
  });
});
