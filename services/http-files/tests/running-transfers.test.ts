import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import {
  transferOrdersKey,
  type TransferReport,
  transferReportSchema,
  transferReportsKey,
} from '@waybill/contracts/messages/running-transfer';
import { connectRedis, type RedisConnection } from '@waybill/redis/connect-redis';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import type { HttpClient } from '@waybill/test-kit/create-http-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFilesRig, type FilesRig, type RunningPeer } from './files-rig.ts';
import { append, begin, tusResumable } from './tus-requests.ts';

let rig: FilesRig;
let peer: RunningPeer;
let client: HttpClient;
let redis: RedisConnection;

beforeAll(async () => {
  rig = await createFilesRig();
  peer = await rig.start('peer1');
  client = await peer.logIn('acme');
  redis = connectRedis({
    url: rig.redis.url,
    name: 'test',
    logger: createLogger({ service: 'test', level: 'silent' }),
  });
});
afterAll(async () => {
  redis.disconnect();
  await rig[Symbol.asyncDispose]();
});

async function reports(): Promise<TransferReport[]> {
  return (await redis.hvals(transferReportsKey)).map((text) => transferReportSchema.parse(JSON.parse(text)));
}

const shown = async () => (await reports()).flatMap(({ transfers }) => transfers);

/** Begins a request whose body is written by the test. It may be cut off. */
function slowRequest(method: string, path: string, headers: Readonly<Record<string, string>>): ClientRequest {
  const slow = request(`${peer.url}${path}`, {
    method,
    headers: { ...headers, cookie: client.cookies.header() ?? '' },
  });
  slow.on('error', () => {});
  slow.flushHeaders();
  return slow;
}

const slowUpload = (name: string) =>
  slowRequest('PUT', `/2.0/files/inbox/${name}`, { 'content-type': 'application/octet-stream' });

describe('transfers that run for more than a second', () => {
  it('are published with their bytes and rate while they run, and not any more when they have ended', async () => {
    const upload = slowUpload('slow.bin');
    const answered = once(upload, 'response');
    upload.write(Buffer.alloc(200_000));
    await expect.poll(shown).toMatchObject([{ userName: 'acme', path: '/inbox/slow.bin', direction: 'upload' }]);
    const [first] = await shown();
    // What arrives together with the headers is not counted: 64 KiB at most.
    expect(first?.bytes).toBeGreaterThanOrEqual(200_000 - 65_536);
    expect(first?.bytes).toBeLessThan(210_000);
    expect((await reports())[0]).toMatchObject({ clusterName: 'cluster1', peerName: 'peer1', omitted: 0 });
    upload.write(Buffer.alloc(300_000));
    await expect.poll(async () => (await shown())[0]?.bytes).toBeGreaterThanOrEqual(500_000 - 65_536);
    expect((await shown())[0]?.id).toBe(first?.id);
    await expect.poll(async () => (await shown())[0]?.bytesPerSecond).toBe(0);
    upload.end();
    const [response] = (await answered) as [{ statusCode: number; resume(): void }];
    response.resume();
    expect(response.statusCode).toBeLessThan(300);
    await expect.poll(shown).toEqual([]);
    expect(await redis.hlen(transferReportsKey)).toBe(0);
  });

  it('are shown with the path of the file when a resumable upload goes on', async () => {
    const { path } = await begin(client, { folder: 'inbox', filename: 'resumed.bin' }, 10);
    const slow = slowRequest('PATCH', path, {
      ...tusResumable,
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    });
    slow.write('12345');
    await expect.poll(shown).toMatchObject([{ path: '/inbox/resumed.bin', direction: 'upload' }]);
    slow.destroy();
    await expect.poll(shown).toEqual([]);
    await expect.poll(async () => (await append(client, path, 5, '67890')).status).toBe(204);
  });

  it('are shown while the client reads slowly', async () => {
    await rig.plant('acme-files', '/inbox/large.bin', 'x'.repeat(30_000_000));
    const download = slowRequest('GET', '/2.0/files/inbox/large.bin', {});
    download.end();
    const [response] = (await once(download, 'response')) as [{ pause(): void; destroy(): void }];
    response.pause();
    await expect.poll(shown).toMatchObject([{ path: '/inbox/large.bin', direction: 'download' }]);
    expect((await shown())[0]?.bytes).toBeGreaterThan(0);
    response.destroy();
    await expect.poll(shown).toEqual([]);
  });

  it('are ended by an order, which is audited, and only those', async () => {
    const [doomed, other] = [slowUpload('doomed.bin'), slowUpload('other.bin')];
    const closed = new Promise((resolve) => doomed.once('close', resolve));
    doomed.write('half');
    other.write('half');
    await expect.poll(async () => (await shown()).length).toBe(2);
    const id = (await shown()).find(({ path }) => path === '/inbox/doomed.bin')?.id ?? '';
    await redis.hset(
      transferOrdersKey,
      id,
      JSON.stringify({ requestedBy: 'olga', requestedFrom: { address: '10.9.9.9' } }),
    );
    await closed;
    await expect.poll(async () => (await shown()).map(({ path }) => path)).toEqual(['/inbox/other.bin']);
    expect(await redis.hexists(transferOrdersKey, id)).toBe(0);
    const ofOrder = async () => (await rig.audited()).filter(({ auditCode }) => auditCode === 'AUD0059A');
    await expect
      .poll(ofOrder)
      .toMatchObject([
        { auditMessage: 'User olga has ended the upload of /inbox/doomed.bin by user acme', dataoneUser: 'olga' },
      ]);
    other.end('!');
    await expect.poll(async () => (await client.get('/2.0/files/inbox/other.bin')).text).toBe('half!');
    expect((await client.get('/2.0/files/inbox/doomed.bin')).status).toBe(404);
  });

  it('are not ended by orders that make no sense', async () => {
    const upload = slowUpload('kept.bin');
    upload.write('half');
    await expect.poll(async () => (await shown()).length).toBe(1);
    const id = (await shown())[0]?.id ?? '';
    for (const order of ['', '{', '[]', '{"requestedBy":7}', 'x'.repeat(100_000)]) {
      await redis.hset(transferOrdersKey, id, order);
      const before = (await reports())[0]?.reportedAt ?? 0;
      await expect.poll(async () => (await reports())[0]?.reportedAt).toBeGreaterThan(before + 1_000);
    }
    await redis.del(transferOrdersKey);
    upload.end('!');
    await expect.poll(async () => (await client.get('/2.0/files/inbox/kept.bin')).text).toBe('half!');
  });

  it('cost Redis nothing when they are short', async () => {
    await expect.poll(shown).toEqual([]);
    const sets = async () => Number(/cmdstat_hset:calls=(\d+)/u.exec(await redis.info('commandstats'))?.[1] ?? 0);
    const before = await sets();
    for (let index = 0; index < 50; index += 1) {
      const { status } = await client.put(`/2.0/files/inbox/short-${index}.bin`, {
        body: 'short',
        headers: { 'content-type': 'application/octet-stream' },
      });
      expect(status).toBeLessThan(300);
    }
    // The report of the process itself, every five seconds.
    expect((await sets()) - before).toBeLessThan(10);
  });
});
