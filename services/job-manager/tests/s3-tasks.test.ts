import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { GetObjectCommand, HeadObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { createTestObjectStore, type TestObjectStore } from '@waybill/test-kit/create-test-object-store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectionRig } from './connection-rig.ts';

const rig = connectionRig();
let store: TestObjectStore;
let other: Server;
/** What the other server answers with. */
let answer: RequestListener = (_, response) => response.writeHead(500).end();

const retry = { attempts: 3, delaySeconds: 0 };
const push = { connection: 'bucket', source: '${{ variables.source }}', target: '${{ variables.target }}' };
const pull = { connection: 'bucket', source: '${{ variables.source }}', folder: '/inbox' };
const secret = 'canary-of-the-secret-key';

beforeAll(async () => {
  store = await createTestObjectStore();
  other = createServer((request, response) => {
    request.resume();
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  await rig.setSecret('id', store.credentials.accessKeyId);
  await rig.setSecret('key', store.credentials.secretAccessKey);
  await rig.setSecret('wrong', secret);
  const { endpoint, region, bucket } = store;
  const s3 = {
    type: 's3',
    endpoint,
    region,
    bucket,
    pathStyle: true,
    accessKeyId: 'secret://id',
    secretAccessKey: 'secret://key',
  };
  const hostile = {
    ...s3,
    endpoint: `http://127.0.0.1:${port}`,
    idleTimeoutSeconds: 0.5,
    secretAccessKey: 'secret://wrong',
  };
  await rig.configure(
    [
      { ...s3, name: 'bucket', maxConnections: 2 },
      { ...s3, name: 'wrong-key', secretAccessKey: 'secret://wrong' },
      { ...s3, name: 'no-bucket', bucket: 'absent-bucket' },
      { ...s3, name: 'metadata-service', endpoint: 'http://169.254.169.254' },
      { ...s3, name: 'private-network', endpoint: 'http://10.0.0.1:9000' },
      { ...s3, name: 'dead', endpoint: 'http://127.0.0.1:1' },
      // Each is used once: a circuit breaker counts over all steps.
      ...['silent', 'half', 'torn', 'endless', 'echo', 'redirect'].map((name) => ({ ...hostile, name })),
    ],
    {
      push: { uses: 's3-push', with: push, retry },
      'push-new': { uses: 's3-push', with: { ...push, ifExists: 'fail' }, retry },
      'push-to': { uses: 's3-push', with: { ...push, connection: '${{ variables.connection }}' } },
      pull: { uses: 's3-pull', with: pull, retry },
      'pull-from': { uses: 's3-pull', with: { ...pull, connection: '${{ variables.connection }}' } },
      'pull-and-delete': { uses: 's3-pull', with: { ...pull, afterwards: 'delete' }, retry },
      'pull-and-move': { uses: 's3-pull', with: { ...pull, afterwards: 'move', moveTo: 'done' }, retry },
      'pull-old': { uses: 's3-pull', with: { ...pull, minAgeSeconds: '86400' }, retry },
    },
  );
});
afterAll(async () => {
  await store?.[Symbol.asyncDispose]();
  other?.closeAllConnections();
  other?.close();
});

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const put = (Key: string, Body: string | Buffer) =>
  store.client.send(new PutObjectCommand({ Bucket: store.bucket, Key, Body }));
const head = (Key: string) => store.client.send(new HeadObjectCommand({ Bucket: store.bucket, Key }));
async function read(Key: string): Promise<Uint8Array> {
  const { Body } = await store.client.send(new GetObjectCommand({ Bucket: store.bucket, Key }));
  return (await Body?.transformToByteArray()) ?? new Uint8Array();
}
async function keys(Prefix: string): Promise<string[]> {
  const { Contents } = await store.client.send(new ListObjectsV2Command({ Bucket: store.bucket, Prefix }));
  return (Contents ?? []).flatMap(({ Key }) => Key ?? []);
}

describe('s3-push', () => {
  it.each([0, 1, 8 * 1024 * 1024, 8 * 1024 * 1024 + 1, 20_000_001])(
    'delivers %i bytes under the name of the source, with their checksum, in parts if they are many',
    async (size) => {
      const content = randomBytes(size);
      await rig.platform.deliver('/outbox/daily.csv', content);
      const job = await rig.run('push', 'COMPLETED', { source: '/outbox/daily.csv', target: `/sent ü/${size}/` });
      const key = `sent ü/${size}/daily.csv`;
      expect(await keys(`sent ü/${size}/`)).toEqual([key]);
      expect(sha256(await read(key))).toBe(sha256(content));
      const { ETag, Metadata } = await head(key);
      expect(Metadata?.['waybill-sha256']).toBe(sha256(content));
      expect(ETag?.includes('-')).toBe(size > 8 * 1024 * 1024);
      expect(job.steps?.[0]?.outputs).toMatchObject({ size: String(size), etag: ETag });
    },
  );

  it('replaces an object, or fails if it must not', async () => {
    await rig.platform.deliver('/outbox/b', Buffer.from('new'));
    await put('existing/b', 'old');
    const variables = { source: '/outbox/b', target: 'existing/b' };
    const failed = await rig.run('push-new', 'ERROR', variables);
    expect(failed.statusMessage).toContain('already has existing/b');
    expect(Buffer.from(await read('existing/b')).toString()).toBe('old');
    await rig.run('push', 'COMPLETED', variables);
    expect(Buffer.from(await read('existing/b')).toString()).toBe('new');
    await rig.run('push-new', 'COMPLETED', { ...variables, target: 'existing/c' });
    expect(Buffer.from(await read('existing/c')).toString()).toBe('new');
  });

  it.each([
    ['a secret key that the server refuses', 'wrong-key', /status 403 \(SignatureDoesNotMatch/u],
    ['a bucket that does not exist', 'no-bucket', /status 404 \(NoSuchBucket/u],
    ['the metadata service of a cloud', 'metadata-service', /destination 169\.254\.169\.254 is not allowed/u],
    ['a private network', 'private-network', /destination 10\.0\.0\.1 is not allowed/u],
    ['a port without a server', 'dead', /ECONNREFUSED/u],
  ])('fails for %s, and says so', async (_, connection, message) => {
    await rig.platform.deliver('/outbox/x', Buffer.from('x'));
    const job = await rig.run('push-to', 'ERROR', { connection, source: '/outbox/x', target: 'x' });
    expect(job.statusMessage).toMatch(message);
    expect(JSON.stringify(job)).not.toContain(secret);
  });
});

describe('s3-pull', () => {
  it('fetches the objects of a pattern in one folder, and leaves them there', async () => {
    for (const name of ['b.pgp', 'a.pgp', 'c.txt', 'folder/d.pgp', 'grüße + mehr.pgp'])
      await put(`from/${name}`, `this is ${name}`);
    const job = await rig.run('pull', 'COMPLETED', { source: '/from/*.pgp' });
    expect(JSON.parse(job.steps?.[0]?.outputs['paths'] ?? '')).toEqual([
      '/inbox/a.pgp',
      '/inbox/b.pgp',
      '/inbox/grüße + mehr.pgp',
    ]);
    expect((await rig.platform.read('/inbox/a.pgp'))?.toString()).toBe('this is a.pgp');
    expect(await keys('from/')).toHaveLength(5);
  });

  it('skips names that cannot be paths here, and takes nothing of an empty folder or of what is too young', async () => {
    for (const name of ['good', '..', 'bad\u0001name']) await put(`odd/${name}`, name);
    const job = await rig.run('pull', 'COMPLETED', { source: 'odd/*' });
    expect(JSON.parse(job.steps?.[0]?.outputs['paths'] ?? '')).toContain('/inbox/good');
    expect(Number(job.steps?.[0]?.outputs['skipped'])).toBeGreaterThan(0);
    for (const [step, source] of [
      ['pull', 'empty/*'],
      ['pull-old', 'odd/*'],
    ] as const) {
      const none = await rig.run(step, 'COMPLETED', { source });
      expect(none.steps?.[0]?.outputs).toMatchObject({ count: '0', paths: '[]' });
    }
    expect((await rig.run('pull', 'ERROR', { source: 'odd/absent' })).steps?.[0]?.attempts).toBe(1);
  });

  it('fetches what s3-push has sent in parts, then deletes it, or moves it', async () => {
    const content = randomBytes(17_000_000);
    await rig.platform.deliver('/outbox/big', content);
    await rig.run('push', 'COMPLETED', { source: '/outbox/big', target: 'there/' });
    await rig.run('pull-and-move', 'COMPLETED', { source: 'there/big' });
    expect([await keys('there/'), await keys('done/')]).toEqual([[], ['done/big']]);
    await rig.run('pull-and-delete', 'COMPLETED', { source: 'done/*' });
    expect(await keys('done/')).toEqual([]);
    const stored = await rig.platform.read('/inbox/big');
    expect(stored && sha256(stored)).toBe(sha256(content));
  });

  it('stores nothing of an object whose checksum is another one', async () => {
    const metadata = { 'waybill-sha256': sha256(Buffer.from('other')) };
    const command = new PutObjectCommand({ Bucket: store.bucket, Key: 'forged', Body: 'forged', Metadata: metadata });
    await store.client.send(command);
    const job = await rig.run('pull', 'ERROR', { source: 'forged' });
    expect(job.statusMessage).toContain('the SHA-256 of forged is another one');
    expect(await rig.platform.read('/inbox/forged')).toBeUndefined();
  });

  const sizeOf = (size: number): Record<string, string | number> => ({
    'content-length': size,
    etag: '"x"',
    'last-modified': new Date(0).toUTCString(),
  });
  it.each<[string, string, RequestListener, RegExp]>([
    ['never answers', 'silent', () => {}, /silent: /u],
    [
      'stops in the middle of a file',
      'half',
      (request, response) => {
        response.writeHead(200, sizeOf(100));
        if (request.method === 'HEAD') response.end();
        else response.write('half');
      },
      /half: read evil-half: TimeoutError/u,
    ],
    [
      'closes in the middle of a file',
      'torn',
      (request, response) => {
        response.writeHead(200, sizeOf(100));
        if (request.method === 'HEAD') response.end();
        else response.write('half', () => response.destroy());
      },
      /torn: /u,
    ],
    [
      'sends more than it has announced',
      'endless',
      (request, response) => {
        if (request.method === 'HEAD') response.writeHead(200, sizeOf(10)).end();
        else response.writeHead(200, { etag: '"x"' }).end('more than ten bytes');
      },
      /was changed on the server/u,
    ],
    [
      'redirects to a forbidden address',
      'redirect',
      (_, response) => response.writeHead(307, { location: 'http://169.254.169.254/latest' }).end(),
      /redirect: /u,
    ],
    [
      'echoes the secret',
      'echo',
      (_, response) => response.writeHead(400).end(`<Error><Code>Bad</Code><Message>${secret}</Message></Error>`),
      /echo: /u,
    ],
  ])('fails for a server that %s', async (_, connection, listener, message) => {
    answer = listener;
    const job = await rig.run('pull-from', 'ERROR', { connection, source: `evil-${connection}` });
    expect(JSON.stringify(job)).toMatch(message);
    expect(JSON.stringify(job)).not.toContain(secret);
    expect(await rig.platform.read(`/inbox/evil-${connection}`)).toBeUndefined();
  });
});
