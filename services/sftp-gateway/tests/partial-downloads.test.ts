import { statusCode } from '@waybill/sftp-protocol/responses/status-code';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGatewayRig, type GatewayRig, type RunningGateway } from './gateway-rig.ts';
import { connectRawSftp, type RawSftpClient } from './raw-sftp-client.ts';

const { read, write, create, truncate } = openFlag;

let rig: GatewayRig;
let gateways: RunningGateway[];
let client: RawSftpClient;
let elsewhere: RawSftpClient;

beforeAll(async () => {
  rig = await createGatewayRig();
  gateways = await Promise.all(['peer1', 'peer2'].map((name) => rig.start(name)));
  const [one, other] = gateways.map(({ sftpPort: port }) => connectRawSftp({ port, user: 'globex' }));
  if (one === undefined || other === undefined) throw new Error('there are two gateways');
  [client, elsewhere] = await Promise.all([one, other]);
});
afterAll(async () => {
  await client?.[Symbol.asyncDispose]();
  await elsewhere?.[Symbol.asyncDispose]();
  for (const gateway of gateways ?? []) await gateway[Symbol.asyncDispose]();
  await rig?.[Symbol.asyncDispose]();
});

async function open(by: RawSftpClient, name: string, flags: number): Promise<Buffer> {
  const opened = await by.ask({ type: 'open', id: 1, path: Buffer.from(`/data/${name}`), flags, attributes: {} });
  if (opened.type !== 'handle') throw new Error(`OPEN was answered with ${opened.type}`);
  return opened.handle;
}

async function put(name: string, text = '0123456789', by = client): Promise<void> {
  const handle = await open(by, name, write | create | truncate);
  await by.ask({ type: 'write', id: 2, handle, offset: 0, data: Buffer.from(text) });
  expect(await by.ask({ type: 'close', id: 3, handle })).toMatchObject({ code: statusCode.ok });
}

/** Reads these parts through one handle, until their record is complete. */
async function take(by: RawSftpClient, name: string, ...parts: [offset: number, length: number][]): Promise<void> {
  const handle = await open(by, name, read);
  for (const [offset, length] of parts) await by.ask({ type: 'read', id: 4, handle, offset, length });
  expect(await by.ask({ type: 'close', id: 5, handle })).toMatchObject({ code: statusCode.ok });
  // CLOSE does not wait for the record of a download, but later changes of the session do.
  await put('behind', '', by);
}

/** Recorded downloads, and whether the file has a date of its first read. */
async function downloadsOf(name: string): Promise<[number, boolean]> {
  const [entry] = await rig.database.query('select first_read_at from filebox.entries where name = $1', [name]);
  const records = await rig.audited();
  const count = records.filter(({ auditMessage }) =>
    auditMessage.startsWith(`Server download file /data/${name} `),
  ).length;
  return [count, entry?.['first_read_at'] !== null];
}

describe('a file counts as downloaded', () => {
  it('not if its rest was only read ahead', async () => {
    const part = 32 * 1024;
    await put('ahead.bin', 'x'.repeat(4 * part));
    await take(client, 'ahead.bin', [0, part], [part, part], [2 * part, part]);
    expect(await downloadsOf('ahead.bin')).toEqual([0, false]);
    await take(client, 'ahead.bin', [3 * part, part]);
    expect(await downloadsOf('ahead.bin')).toEqual([1, true]);
  });

  it('not by its last bytes alone, nor by all but one', async () => {
    await put('tail');
    await take(client, 'tail', [9, 1], [5, 5]);
    await take(client, 'tail', [1, 9]);
    expect(await downloadsOf('tail')).toEqual([0, false]);
  });

  it('once, by all of its bytes through one handle, in any order and more than once', async () => {
    await put('shuffled');
    await take(client, 'shuffled', [6, 10], [0, 3], [0, 10], [3, 3], [10, 10]);
    expect(await downloadsOf('shuffled')).toEqual([1, true]);
  });

  it('once, by all of its bytes through handles of several sessions and gateways, as `reget` and parallel clients do', async () => {
    await put('resumed');
    await take(client, 'resumed', [0, 4]);
    await take(elsewhere, 'resumed', [8, 2]);
    expect(await downloadsOf('resumed')).toEqual([0, false]);
    await take(elsewhere, 'resumed', [4, 4]);
    expect(await downloadsOf('resumed')).toEqual([1, true]);
  });

  it('once, by a client that reads a part, then all of it, and then the rest after the part', async () => {
    await put('again');
    await take(client, 'again', [0, 5]);
    await take(elsewhere, 'again', [0, 10]);
    await take(elsewhere, 'again', [5, 5]);
    expect(await downloadsOf('again')).toEqual([1, true]);
  });

  it('not by bytes of another version', async () => {
    await put('replaced');
    await take(client, 'replaced', [0, 5]);
    await put('replaced');
    await take(client, 'replaced', [5, 5]);
    expect(await downloadsOf('replaced')).toEqual([0, false]);
  });

  it('if it is empty, by a client that reads it, and not by one that only opens it', async () => {
    await put('empty', '');
    await take(client, 'empty');
    expect(await downloadsOf('empty')).toEqual([0, false]);
    await take(client, 'empty', [0, 100]);
    expect(await downloadsOf('empty')).toEqual([1, true]);
  });

  it('as usual during an outage of Redis, except for parts: those are forgotten, and no read fails', async () => {
    await put('whole');
    await put('parts');
    await rig.redis.kill();
    await take(client, 'whole', [0, 10]);
    await take(client, 'parts', [0, 5]);
    await rig.redis.restart();
    expect([await downloadsOf('whole'), await downloadsOf('parts')]).toEqual([
      [1, true],
      [0, false],
    ]);
  });
});
