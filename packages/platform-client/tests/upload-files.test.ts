import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@waybill/platform-client/create-client';
import { accessToken } from '@waybill/platform-client/credentials/credentials';
import { uploadFile } from '@waybill/platform-client/transfers/upload-file';
import { expect, it, onTestFinished } from 'vitest';
import { type Answer, reset, startScriptedServer } from './scripted-server.ts';

async function openUpload(answers: readonly Answer[]) {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-uploads-'));
  const server = await startScriptedServer(answers);
  const repetition = { attempts: 1, firstDelayMs: 1, longestDelayMs: 1 };
  const client = createClient({ url: server.url, credentials: accessToken('t'), repetition });
  onTestFinished(async () => {
    await client[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });
  return { folder, server, client };
}

/** An upload that has been begun, of which the platform has this many bytes. */
const begun =
  (offset: number, more: Readonly<Record<string, string>> = {}): Answer =>
  (response) => {
    const headers = { location: '/2.0/uploads/u1', 'upload-offset': String(offset), 'tus-resumable': '1.0.0', ...more };
    response.writeHead(201, headers).end();
  };

it('a folder is refused at once, and nothing is sent', async () => {
  const { folder, server, client } = await openUpload([reset]);
  await mkdir(join(folder, 'reports'));
  const file = join(folder, 'reports');
  await expect(uploadFile(client, { file, path: '/inbox/reports' })).rejects.toMatchObject({
    code: 'file_unusable',
    message: `${file} is a folder`,
  });
  expect(server.requests).toEqual([]);
});

it('a file that becomes shorter while it is sent ends the upload at once', async () => {
  const size = 50_000_000;
  const { folder, server, client } = await openUpload([begun(0), () => undefined]);
  const file = join(folder, 'shrinking');
  await writeFile(file, '');
  await truncate(file, size);
  let isCut = false;
  const cut = ({ bytes }: { readonly bytes: number }): void => {
    if (bytes === 0 || isCut) return;
    isCut = true;
    void truncate(file, 1_000);
  };
  await expect(uploadFile(client, { file, path: '/inbox/a', onProgress: cut })).rejects.toMatchObject({
    code: 'content_differs',
    message: `${file} has become shorter while it was sent`,
  });
  expect(server.requests).toHaveLength(2);
});

it('a file that was stored before is uploaded again with a key that a later run finds', async () => {
  const stored = begun(3, { 'x-fileset': '7' });
  const { folder, server, client } = await openUpload([stored, begun(0), reset, stored, begun(0), reset]);
  const file = join(folder, 'a');
  await writeFile(file, 'abc');
  const run = () => uploadFile(client, { file, path: '/inbox/a', patienceMs: 0 });
  for (let count = 0; count < 2; count += 1) await expect(run()).rejects.toMatchObject({ code: 'interrupted' });
  const keys = server.headers.flatMap((headers) => headers['idempotency-key'] ?? []);
  expect(keys).toEqual([keys[0], keys[1], keys[0], keys[1]]);
  expect(keys[0]).not.toBe(keys[1]);
});
