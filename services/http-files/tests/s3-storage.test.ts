import { randomBytes } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { createTestObjectStore, type TestObjectStore } from '@waybill/test-kit/create-test-object-store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFilesRig, type FilesRig, type RunningPeer } from './files-rig.ts';
import { configure } from './test-configuration.ts';

let server: TestObjectStore;
let rig: FilesRig;
let peer: RunningPeer;

beforeAll(async () => {
  [server, rig] = await Promise.all([createTestObjectStore(), createFilesRig()]);
  const fileOf = async (name: string, value: string) => {
    await writeFile(join(rig.folder, name), `${value}\n`);
    return join(rig.folder, name);
  };
  peer = await rig.start('peer1', {
    AWS_ACCESS_KEY_ID_FILE: await fileOf('access-key', server.credentials.accessKeyId),
    AWS_SECRET_ACCESS_KEY_FILE: await fileOf('secret-key', server.credentials.secretAccessKey),
  });
});

afterAll(async () => {
  await peer[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
  await server.stop();
});

test('once a VFS is configured for S3, its new files are stored there, and existing ones stay on the disk', async () => {
  const { endpoint, bucket, region } = server;
  const place = { type: 's3', bucket, region, endpoint, prefix: 'waybill/', pathStyle: true } as const;
  const globex = await peer.logIn('globex');
  const headers = { 'content-type': 'application/octet-stream' };
  await globex.put('/2.0/files/data/before.bin', { body: Buffer.from('before'), headers });
  await configure(rig.db, { name: 'objects', ...place });

  const content = randomBytes(9_000_000);
  // The configuration is read again after a second.
  await expect
    .poll(
      async () => {
        const { status } = await globex.put('/2.0/files/data/after.bin', { body: content, headers });
        expect(status).toBeLessThan(300);
        const { Contents } = await server.client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: 'waybill/' }));
        return Contents?.map(({ Size }) => Size);
      },
      { interval: 300 },
    )
    .toContain(content.length);

  expect(content.equals((await globex.get('/2.0/files/data/after.bin')).bytes)).toBe(true);
  const range = await globex.get('/2.0/files/data/after.bin', { headers: { range: 'bytes=8388600-8388620' } });
  expect(content.subarray(8_388_600, 8_388_621).equals(range.bytes)).toBe(true);
  expect((await globex.get('/2.0/files/data/before.bin')).text).toBe('before');
  expect(await readdir(join(rig.folder, 'blobs', 'incoming'))).toEqual([]);
});
