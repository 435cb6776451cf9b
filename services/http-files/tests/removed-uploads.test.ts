import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openUnfinishedUploads } from '@waybill/filebox/unfinished/open-unfinished-uploads';
import type { UnfinishedUploads } from '@waybill/filebox/unfinished/unfinished-uploads';
import type { HttpClient, HttpResponse } from '@waybill/test-kit/create-http-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFilesRig, type FilesRig, type RunningPeer } from './files-rig.ts';
import { append, begin, inspect, terminate, tusResumable } from './tus-requests.ts';

let rig: FilesRig;
let peer: RunningPeer;
let acme: HttpClient;
let unfinished: UnfinishedUploads;

beforeAll(async () => {
  rig = await createFilesRig();
  peer = await rig.start('peer1');
  acme = await peer.logIn('acme');
  unfinished = await openUnfinishedUploads({ db: rig.db, blobDir: join(rig.folder, 'blobs') });
});
afterAll(async () => {
  await unfinished?.[Symbol.asyncDispose]();
  await rig?.[Symbol.asyncDispose]();
});
/** What is left of uploads that are no files. */
const left = async () => [
  ...(await unfinished.list({ ofUsers: undefined, limit: 10 })).map(({ path }) => path),
  ...(await readdir(join(rig.folder, 'blobs', 'incoming'))),
];

const at = (name: string) => ({ folder: 'inbox', filename: name });

/** What the gateway does for an operator: takes the upload, and what http-files knows of it, in one transaction. */
async function remove(name: string): Promise<boolean> {
  const uploads = await unfinished.list({ ofUsers: undefined, limit: 10 });
  const upload = uploads.find(({ path }) => path?.endsWith(name));
  if (upload === undefined) return false;
  const { blobId } = upload;
  const within: Parameters<UnfinishedUploads['discard']>[1]['within'] = async (trx) => {
    await trx.raw('DELETE FROM http_files.resumable_uploads WHERE blob_id = ? AND fileset IS NULL', [blobId]);
  };
  return (await unfinished.discard(blobId, { ofUsers: undefined, within })) !== undefined;
}

const until = (name: string, size: number) =>
  expect
    .poll(async () =>
      (await unfinished.list({ ofUsers: undefined, limit: 10 })).find(({ path }) => path?.endsWith(name)),
    )
    .toMatchObject({ size, isHeld: true, protocol: 'HTTP' });

/** A part whose bytes the test sends one after the other. */
function sendSlowly(path: string): { send(text: string): void; end(): void; readonly answer: Promise<HttpResponse> } {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) });
  const headers = { ...tusResumable, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
  const answer = acme.request('PATCH', path, { headers, body });
  answer.catch(() => {});
  return {
    send: (text) => controller?.enqueue(Buffer.from(text)),
    end: () => controller?.close(),
    answer,
  };
}

async function expectNothing(name: string): Promise<void> {
  expect(await left()).toEqual([]);
  expect((await acme.get(`/2.0/files/inbox/${name}`)).status).toBe(404);
  const stored = (await rig.audited()).filter(
    ({ auditOperation, auditMessage }) =>
      auditOperation === 'SERVER_UPLOAD_FILE' && auditMessage.includes(`/${name} FilesetId`),
  );
  expect(stored).toEqual([]);
}

const unknown = { result: 'failed', errorType: 'io', message: expect.stringContaining('upload') };

test('an upload that an operator has deleted does not exist for its user, who can begin again', async () => {
  const { path } = await begin(acme, at('idle.csv'), 6, { body: 'abc' });
  expect(await remove('idle.csv')).toBe(true);
  expect(await remove('idle.csv')).toBe(false);
  const part = await append(acme, path, 3, 'def');
  expect([part.status, part.json()]).toEqual([404, expect.objectContaining(unknown)]);
  expect([(await inspect(acme, path)).status, (await terminate(acme, path)).status]).toEqual([404, 404]);
  await expectNothing('idle.csv');
  expect((await begin(acme, at('idle.csv'), 3, { body: 'abc' })).headers.get('x-fileset')).not.toBeNull();
});

test('a part that is sent meanwhile is refused, also if it is the last one and comes at once', async () => {
  const { path } = await begin(acme, at('last.csv'), 6);
  const part = sendSlowly(path);
  part.send('abc');
  await until('last.csv', 3);
  expect(await remove('last.csv')).toBe(true);
  part.send('def');
  part.end();
  const { status, json } = await part.answer;
  expect([status, json()]).toEqual([404, expect.objectContaining(unknown)]);
  expect((await inspect(acme, path)).status).toBe(404);
  await expectNothing('last.csv');
});

test('a client that goes on sending is refused within seconds', async () => {
  const { path } = await begin(acme, at('long.csv'), 1_000_000);
  const part = sendSlowly(path);
  part.send('abc');
  await until('long.csv', 3);
  expect(await remove('long.csv')).toBe(true);
  const sending = setInterval(() => part.send('x'), 50);
  const answer = await part.answer.finally(() => clearInterval(sending));
  expect([answer.status, answer.json()]).toEqual([404, expect.objectContaining(unknown)]);
  await expectNothing('long.csv');
});

test('an upload of one request fails as an incomplete one', async () => {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) });
  const answer = acme.put('/2.0/files/inbox/whole.csv', { headers: { 'content-type': 'text/csv' }, body });
  answer.catch(() => {});
  controller?.enqueue(Buffer.from('abc'));
  await until('whole.csv', 3);
  expect(await remove('whole.csv')).toBe(true);
  controller?.close();
  const { status, json } = await answer;
  expect([status, json()]).toEqual([400, expect.objectContaining({ result: 'failed', errorType: 'io' })]);
  await expectNothing('whole.csv');
});

test('what was acknowledged while somebody deletes it stays', async () => {
  for (let round = 0; round < 15; round += 1) {
    const name = `race-${round}.csv`;
    const { path } = await begin(acme, at(name), 6, { body: 'abc' });
    const [last, isRemoved] = await Promise.all([append(acme, path, 3, 'def'), remove(name)]);
    expect(await left()).toEqual([]);
    // While the deletion commits, it is locked.
    expect(isRemoved ? [404, 423] : [204]).toContain(last.status);
    expect((await inspect(acme, path)).status).toBe(isRemoved ? 404 : 200);
    const stored = await acme.get(`/2.0/files/inbox/${name}`);
    expect([stored.status, stored.status === 200 && stored.text]).toEqual(isRemoved ? [404, false] : [200, 'abcdef']);
  }
});
