import {
  transferOrdersKey,
  type TransferReport,
  transferReportsKey,
} from '@waybill/contracts/messages/running-transfer';
import { connectRedis } from '@waybill/redis/connect-redis';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { waitFor } from '@waybill/test-kit/wait-for';
import { describe, expect, it } from 'vitest';
import { beginUpload } from './begin-upload.ts';
import { connectRawSftp } from './raw-sftp-client.ts';
import { twoGateways } from './test-gateways.ts';

const peers = twoGateways();

describe('the list of running transfers', () => {
  const address = '/platform-application/api/v1/infrastructure/clusters/transfers';
  const client = () => createHttpClient(peers.second.httpUrl);
  const bearer = () => peers.rig.tokenOf('Users');
  const read = async (query: Record<string, string> = {}) => {
    const answer = await client().get(address, { query, bearer: bearer() });
    expect(answer.status).toBe(200);
    return answer.json() as { totalCount: number; transfers: (Record<string, unknown> & { transferId: string })[] };
  };
  const end = (id: string, role: 'Users' | 'Operators' = 'Operators') =>
    client().delete(`${address}/${encodeURIComponent(id)}`, { bearer: peers.rig.tokenOf(role) });
  const storedTransfer = {
    userName: 'acme',
    clientAddress: '10.0.0.2',
    path: '/inbox/a.csv',
    direction: 'download' as const,
    bytes: 10,
    bytesPerSecond: 5,
    since: Date.parse('2026-01-01T00:00:00Z'),
  };
  const stored = (id: string, more: Partial<TransferReport> = {}) =>
    JSON.stringify({
      clusterName: 'cluster1',
      peerName: 'peer7',
      serverName: 'http-server',
      reportedAt: Date.now(),
      omitted: 0,
      transfers: [{ ...storedTransfer, id }],
      ...more,
    });

  const logger = createLogger({ service: 'test', level: 'silent' });
  const openRedis = () => {
    const redis = connectRedis({ url: peers.rig.redis.url, name: 'test', logger });
    return Object.assign(redis, { [Symbol.dispose]: () => redis.disconnect() });
  };

  it('shows the file of a session over SFTP since it was opened, and ends it with the session', async () => {
    await using uploading = await connectRawSftp({ port: peers.first.sftpPort, user: 'globex' });
    await beginUpload(uploading, '/data/first', Buffer.alloc(3_000));
    await waitFor(async () => (await read()).transfers.some(({ bytes }) => bytes === 3_000), {
      what: 'the first file',
    });
    await beginUpload(uploading, '/data/second', Buffer.alloc(500));
    const { transfers } = await waitFor(
      async () => {
        const listed = await read({ protocol: 'SFTP' });
        return listed.transfers.some(({ path: file }) => file === '/data/second') ? listed : undefined;
      },
      { what: 'the second file' },
    );
    expect(transfers).toEqual([
      {
        transferId: expect.stringMatching(/^[0-9A-F]{128}$/u),
        protocol: 'SFTP',
        clusterName: 'cluster1',
        peerName: 'peer1',
        serverName: 'sftp-server',
        userName: 'globex',
        clientAddress: '127.0.0.1',
        path: '/data/second',
        direction: 'upload',
        bytes: 500,
        bytesPerSecond: expect.any(Number),
        since: expect.stringMatching(/^20.*Z$/u),
      },
    ]);
    const id = transfers[0]?.transferId ?? '';
    expect((await end(id, 'Users')).status).toBe(403);
    expect(await end(id)).toMatchObject({ status: 200 });
    await waitFor(async () => (await read()).totalCount === 0, { what: 'the end of the session' });
    expect((await end(id)).json()).toMatchObject({ code: 'transfer_unknown', status: 404 });
  });

  it('shows those over HTTP of all peers that are alive, with filters, and ignores what it cannot read', async () => {
    using redis = openRedis();
    await redis.hset(transferReportsKey, {
      one: stored('t1'),
      two: stored('t2', { peerName: 'peer8', omitted: 7 }),
      dead: stored('t3', { reportedAt: Date.now() - 11_000 }),
      damaged: '{"transfers":',
      other: '[]',
    });
    const ids = async (query: Record<string, string> = {}) =>
      (await read(query)).transfers.map(({ transferId }) => transferId);
    expect(await read()).toMatchObject({ totalCount: 9, transfers: [{ transferId: 't1' }, { protocol: 'HTTP' }] });
    expect((await redis.hkeys(transferReportsKey)).toSorted()).toEqual(['one', 'two']);
    expect(await ids({ peerName: 'peer8' })).toEqual(['t2']);
    expect(await ids({ userName: 'acme', direction: 'download', protocol: 'HTTP', maxItem: '1' })).toEqual(['t1']);
    expect(await ids({ direction: 'upload' })).toEqual([]);
    expect(await ids({ protocol: 'SFTP' })).toEqual([]);
    for (const query of [{ maxItem: '0' }, { maxItem: 'many' }, { protocol: 'FTP' }, { nonsense: '1' }])
      expect((await client().get(address, { query, bearer: bearer() })).status).toBe(400);
    expect((await client().get(address)).status).toBe(401);
    await redis.del(transferReportsKey);
  });

  it('orders the peer to end a transfer over HTTP, and says when the peer does not answer', async () => {
    using redis = openRedis();
    await redis.hset(transferReportsKey, 'one', stored('t1'));
    expect((await end('t1')).json()).toMatchObject({ code: 'peer_not_answering' });
    expect(await redis.hlen(transferOrdersKey)).toBe(0);
    await redis.hset(transferReportsKey, 'one', stored('t1'));
    const ending = end('t1');
    const order = await waitFor(async () => (await redis.hget(transferOrdersKey, 't1')) ?? undefined, { what: 'it' });
    expect(JSON.parse(order)).toMatchObject({
      requestedBy: expect.any(String),
      requestedFrom: { address: '127.0.0.1' },
    });
    await redis.hdel(transferOrdersKey, 't1');
    expect(await ending).toMatchObject({ status: 200 });
    await redis.del(transferReportsKey);
  });

  it('a role that is limited to an actor sees and ends the transfers of its users, and knows of no others', async () => {
    using redis = openRedis();
    const transfers = (id: string, userName: string) => [{ ...storedTransfer, id, userName }];
    await redis.hset(transferReportsKey, {
      one: stored('t1', { omitted: 7 }),
      two: stored('t2', { transfers: transfers('t2', 'globex') }),
    });
    const bearer = await peers.rig.limitedToken('globex');
    const seen = await client().get(address, { bearer });
    expect(seen.json()).toMatchObject({ totalCount: 1, transfers: [{ transferId: 't2', userName: 'globex' }] });
    expect((await client().get(address, { query: { userName: 'acme' }, bearer })).json()).toEqual({
      totalCount: 0,
      transfers: [],
    });
    const endOf = async (id: string) => (await client().delete(`${address}/${id}`, { bearer })).json();
    expect(await endOf('t1')).toMatchObject({ code: 'transfer_unknown' });
    expect(await redis.hlen(transferOrdersKey)).toBe(0);
    expect(await endOf('t2')).toMatchObject({ code: 'peer_not_answering' });
    await redis.del(transferReportsKey);
  });
});
