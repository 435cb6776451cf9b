import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { HttpClient } from '@waybill/test-kit/create-http-client';
import { waitFor } from '@waybill/test-kit/wait-for';
import * as tus from 'tus-js-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Balancer, startBalancer } from './start-balancer.ts';
import { startPeerProcess } from './start-peer-process.ts';
import { twoPeers } from './test-peers.ts';

declare module 'tus-js-client' {
  /** Not exported by the client's type declarations. */
  export class FileUrlStorage implements UrlStorage {
    constructor(path: string);
    findAllUploads: UrlStorage['findAllUploads'];
    findUploadsByFingerprint: UrlStorage['findUploadsByFingerprint'];
    removeUpload: UrlStorage['removeUpload'];
    addUpload: UrlStorage['addUpload'];
  }
}

const site = twoPeers();
let balancer: Balancer;
let acme: HttpClient;

beforeAll(async () => {
  balancer = await startBalancer(site.peer.url);
  acme = await site.peer.logIn('acme');
});

afterAll(async () => {
  for (const each of [balancer, site.peer, site.other, site.rig]) await each[Symbol.asyncDispose]();
});

type Options = ConstructorParameters<typeof tus.Upload>[1];

/** An upload as a program creates it. `done` resolves when the client reports completion. */
function uploadOf(content: ConstructorParameters<typeof tus.Upload>[0], filename: string, more: Options = {}) {
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  const upload = new tus.Upload(content, {
    endpoint: `${balancer.url}/2.0/uploads`,
    headers: { Cookie: acme.cookies.header() ?? '' },
    metadata: { folder: 'inbox', filename, filetype: 'application/pdf', BUSINESS_UNIT: 'Accounting' },
    onSuccess: () => resolve(),
    onError: reject,
    ...more,
  });
  done.catch(() => {});
  return { upload, done };
}

/** Waits until a megabyte of an upload is in the blob folder. */
async function megabyteArrived(): Promise<void> {
  const folder = join(site.rig.folder, 'blobs', 'incoming');
  const arrived = async () => {
    const sizes = (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size);
    return (await Promise.all(sizes)).some((size) => size > 1_000_000);
  };
  await waitFor(arrived, { what: 'a megabyte' });
}

async function expectStored(filename: string, content: Buffer, times = 1): Promise<void> {
  const sha256 = createHash('sha256').update(content).digest('hex');
  expect((await acme.request('HEAD', `/2.0/files/inbox/${filename}`)).headers.get('etag')).toBe(`"${sha256}"`);
  const events = "select id from outbox.events where topic = 'file-event' and payload::text like $1";
  expect(await site.rig.database.query(events, [`%${filename}%`])).toHaveLength(times);
}

test('a file arrives in chunks, with its type and metadata', async () => {
  const content = randomBytes(1_000_001);
  const { upload, done } = uploadOf(content, 'chunks.pdf', { chunkSize: 300_000 });
  upload.start();
  await done;
  await expectStored('chunks.pdf', content);
  const { metadata } = (await acme.get('/2.0/metadata/inbox/chunks.pdf')).json() as { metadata: object };
  expect(metadata).toMatchObject({ datatype: 'application/pdf', BUSINESS_UNIT: 'Accounting' });
});

test.each<[string, Options]>([
  ['with its content in the first request', { uploadDataDuringCreation: true }],
  ['by POST only', { overridePatchMethod: true }],
])('a file arrives %s, and an empty one too', async (how, options) => {
  for (const [kind, content] of [['full', randomBytes(70_000)] as const, ['empty', Buffer.alloc(0)] as const]) {
    const filename = `${kind}-${how.replaceAll(' ', '-')}.pdf`;
    const { upload, done } = uploadOf(content, filename, options);
    upload.start();
    await done;
    await expectStored(filename, content);
  }
});

test('an aborted upload is found again by another program, and resumed on another peer', async () => {
  const content = randomBytes(3_000_000);
  const [source, urls] = [join(site.rig.folder, 'source.pdf'), join(site.rig.folder, 'urls.json')];
  await writeFile(source, content);
  const options = { urlStorage: new tus.FileUrlStorage(urls), chunkSize: 1_000_000 };
  const read = () => createReadStream(source) as unknown as Buffer;
  let sentBytes = 0;
  const aborted = new Promise<void>((resolve) => {
    const first = uploadOf(read(), 'resumed.pdf', {
      ...options,
      onChunkComplete: () => void first.upload.abort().then(resolve),
    });
    first.upload.start();
  });
  await aborted;

  balancer.pointTo(site.other.url);
  const { upload, done } = uploadOf(read(), 'resumed.pdf', {
    ...options,
    urlStorage: new tus.FileUrlStorage(urls),
    onChunkComplete: (size) => (sentBytes += size),
  });
  const [previous] = await upload.findPreviousUploads();
  if (previous === undefined) throw new Error('the upload was forgotten');
  upload.resumeFromPreviousUpload(previous);
  upload.start();
  await done;
  expect(sentBytes).toBeLessThanOrEqual(2_000_000);
  await expectStored('resumed.pdf', content);
  balancer.pointTo(site.peer.url);
});

test('a file arrives by four uploads at once', async () => {
  const content = randomBytes(4_000_003);
  const { upload, done } = uploadOf(content, 'parallel.pdf', { parallelUploads: 4, chunkSize: 500_000 });
  upload.start();
  await done;
  await expectStored('parallel.pdf', content);
  const { metadata } = (await acme.get('/2.0/metadata/inbox/parallel.pdf')).json() as { metadata: object };
  expect(metadata).toMatchObject({ datatype: 'application/pdf', BUSINESS_UNIT: 'Accounting', size: '4000003' });
  expect(await site.rig.database.query('select from filebox.uploads')).toEqual([]);
});

test('four aborted concurrent uploads are found again, and resumed on another peer', async () => {
  const content = randomBytes(4_000_000);
  const [source, urls] = [join(site.rig.folder, 'parallel-source.pdf'), join(site.rig.folder, 'parallel-urls.json')];
  await writeFile(source, content);
  const read = () => createReadStream(source) as unknown as Buffer;
  const options = { parallelUploads: 4, chunkSize: 250_000 };
  await new Promise<void>((resolve, reject) => {
    let ended = false;
    const first = uploadOf(read(), 'parallel-resumed.pdf', {
      ...options,
      urlStorage: new tus.FileUrlStorage(urls),
      onProgress: (sentBytes) => {
        if (ended || sentBytes < 2_000_000) return;
        ended = true;
        first.upload.abort().then(resolve, reject);
      },
    });
    first.upload.start();
  });
  balancer.pointTo(site.other.url);
  const { upload, done } = uploadOf(read(), 'parallel-resumed.pdf', {
    ...options,
    urlStorage: new tus.FileUrlStorage(urls),
    retryDelays: [0, 100, 500, 1_000, 3_000],
  });
  const [previous] = await upload.findPreviousUploads();
  if (previous === undefined) throw new Error('the upload was forgotten');
  upload.resumeFromPreviousUpload(previous);
  upload.start();
  await done;
  await expectStored('parallel-resumed.pdf', content);
  balancer.pointTo(site.peer.url);
});

test.each([
  ['shorter than a chunk', 100_000],
  ['of several chunks', 2_500_000],
  ['of exactly one chunk', 1_000_000],
])('a stream of unknown length arrives: one %s', async (what, size) => {
  const content = randomBytes(size);
  const name = `stream-${what.replaceAll(' ', '-')}.pdf`;
  const stream = Readable.from([content.subarray(0, 70_000), content.subarray(70_000)]);
  const { upload, done } = uploadOf(stream, name, {
    uploadLengthDeferred: true,
    chunkSize: 1_000_000,
  });
  upload.start();
  await done;
  await expectStored(name, content);
});

test('a terminated upload leaves nothing', async () => {
  const before = await readdir(join(site.rig.folder, 'blobs', 'incoming'));
  const content = randomBytes(2_000_000);
  await new Promise<void>((resolve, reject) => {
    const { upload } = uploadOf(content, 'terminated.pdf', {
      chunkSize: 1_000_000,
      onChunkComplete: () => void upload.abort(true).then(resolve, reject),
    });
    upload.start();
  });
  expect(await readdir(join(site.rig.folder, 'blobs', 'incoming'))).toEqual(before);
  expect((await acme.get('/2.0/files/inbox/terminated.pdf')).status).toBe(404);
});

test('after a broken connection the client automatically continues at the last offset', async () => {
  const content = randomBytes(20_000_000);
  const offsets: number[] = [];
  const { upload, done } = uploadOf(content, 'broken.pdf', {
    retryDelays: [0, 100, 300, 1_000, 3_000],
    onAfterResponse: (request, response) => {
      if (request.getMethod() === 'HEAD') offsets.push(Number(response.getHeader('Upload-Offset')));
    },
  });
  balancer.interruptAfter(8_000_000, megabyteArrived);
  upload.start();
  await done;
  expect(offsets.at(-1)).toBeGreaterThan(1_000_000);
  await expectStored('broken.pdf', content);
});

test('after its peer is killed in the middle of a part, the client automatically continues with another one', async () => {
  await using killed = await startPeerProcess({ ...site.rig.environment, PEER_NAME: 'peer3' });
  const content = randomBytes(20_000_000);
  const offsets: number[] = [];
  const { upload, done } = uploadOf(content, 'killed.pdf', {
    retryDelays: [500, 1_000, 2_000, 2_000, 2_000, 2_000, 2_000],
    onAfterResponse: (request, response) => {
      if (request.getMethod() === 'HEAD') offsets.push(Number(response.getHeader('Upload-Offset')));
    },
  });
  balancer.pointTo(killed.url);
  balancer.interruptAfter(8_000_000, async () => {
    await megabyteArrived();
    await killed.kill();
    balancer.pointTo(site.other.url);
  });
  upload.start();
  await done;
  expect(offsets.at(-1)).toBeGreaterThan(1_000_000);
  await expectStored('killed.pdf', content);
  balancer.pointTo(site.peer.url);
});
