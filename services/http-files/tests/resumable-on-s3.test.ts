import { randomBytes } from 'node:crypto';
import { ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import type { HttpClient } from '@waybill/test-kit/create-http-client';
import { createTestObjectStore, type TestObjectStore } from '@waybill/test-kit/create-test-object-store';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createFilesRig, type FilesRig, type RunningPeer } from './files-rig.ts';
import { configure } from './test-configuration.ts';
import { append, begin, checksumOf, inspect, terminate } from './tus-requests.ts';

let server: TestObjectStore;
let rig: FilesRig;
let peers: RunningPeer[];
let globex: HttpClient;
let elsewhere: HttpClient;

beforeAll(async () => {
  [server, rig] = await Promise.all([createTestObjectStore(), createFilesRig()]);
  vi.stubEnv('AWS_ACCESS_KEY_ID', server.credentials.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', server.credentials.secretAccessKey);
  const { endpoint, bucket, region } = server;
  await configure(rig.db, { name: 'objects', type: 's3', bucket, region, endpoint, prefix: '', pathStyle: true });
  peers = [await rig.start('peer1'), await rig.start('peer2')];
  [globex, elsewhere] = (await Promise.all(peers.map((peer) => peer.logIn('globex')))) as [HttpClient, HttpClient];
});

afterAll(async () => {
  for (const peer of peers) await peer[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
  await server.stop();
});

async function held() {
  const at = { Bucket: server.bucket };
  const { Contents = [] } = await server.client.send(new ListObjectsV2Command(at));
  const { Uploads = [] } = await server.client.send(new ListMultipartUploadsCommand(at));
  return { objects: Contents.length, uploads: Uploads.length };
}

test('in S3 too, an upload is resumed part by part on any peer, and its bytes are removed when it is discarded', async () => {
  const content = randomBytes(10_000_000);
  const { path } = await begin(globex, { path: 'data/s3.bin' }, content.length);
  const parts = [content.subarray(0, 100), content.subarray(100, 9_000_000), content.subarray(9_000_000)];
  let offset = 0;
  for (const [index, part] of parts.entries()) {
    const client = index % 2 ? elsewhere : globex;
    expect((await inspect(client, path)).headers.get('upload-offset')).toBe(String(offset));
    const answer = await append(client, path, offset, new Uint8Array(part), index === 1 ? checksumOf(part) : {});
    offset += part.length;
    expect([answer.status, answer.headers.get('upload-offset')]).toEqual([204, String(offset)]);
  }
  expect(content.equals((await globex.get('/2.0/files/data/s3.bin')).bytes)).toBe(true);
  expect(await held()).toEqual({ objects: 1, uploads: 0 });

  const given = await begin(globex, { path: 'data/given-up.bin' }, content.length);
  await append(globex, given.path, 0, new Uint8Array(parts[1] ?? []));
  expect((await terminate(elsewhere, given.path)).status).toBe(204);
  expect(await held()).toEqual({ objects: 1, uploads: 0 });
});
