import type { VfsLimits } from '@waybill/contracts/configuration/storage-configuration';
import { openDirectory } from '@waybill/directory/open-directory';
import { setLimits } from '@waybill/filebox/limits/set-limits';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Database } from '@waybill/postgres/database';
import { statusCode } from '@waybill/sftp-protocol/responses/status-code';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createGatewayRig, type GatewayRig, type RunningGateway } from './gateway-rig.ts';
import { connectRawSftp, type RawSftpClient } from './raw-sftp-client.ts';

const uploads = 50;
const chunk = Buffer.alloc(10_000, 'x');
const chunksOfFile = 3;
const fileBytes = chunksOfFile * chunk.length;

let rig: GatewayRig;
const gateways: RunningGateway[] = [];
const clients: RawSftpClient[] = [];
let db: Database;

beforeAll(async () => {
  rig = await createGatewayRig();
  for (const peerName of ['peer1', 'peer2']) gateways.push(await rig.start(peerName));
  db = connectPostgres({ url: rig.database.url, applicationName: 'test', poolSize: 2 });
  for (let index = 0; index < uploads; index += 1) {
    const port = gateways[index % gateways.length]?.sftpPort ?? 0;
    clients.push(await connectRawSftp({ port, user: 'globex' }));
  }
});

afterAll(async () => {
  for (const client of clients) await client[Symbol.asyncDispose]();
  await db?.destroy();
  for (const gateway of gateways) await gateway[Symbol.asyncDispose]();
  await rig?.[Symbol.asyncDispose]();
});

async function limit(limits: VfsLimits | undefined): Promise<void> {
  const vfs = await openDirectory({ db }).findVfsByName('globex-files');
  if (vfs === undefined) throw new Error('the VFS is not there');
  await db.transaction((trx) => setLimits(trx, { vfsId: vfs.id, name: vfs.name, limits }));
}

/** The final status for a client: of its OPEN if that is refused, else of its CLOSE. */
async function send(
  client: RawSftpClient,
  name: string,
  bytes = fileBytes,
): Promise<{ code: number; message: string }> {
  const flags = openFlag.write | openFlag.create | openFlag.truncate;
  const told = await client.ask({ type: 'open', id: 1, path: Buffer.from(name), flags, attributes: {} });
  if (told.type === 'status') return told;
  if (told.type !== 'handle') throw new Error(`OPEN was answered with ${told.type}`);
  const handle = Buffer.from(told.handle);
  let requests = 0;
  for (let offset = 0; offset < bytes; offset += chunk.length) {
    const data = chunk.subarray(0, Math.min(chunk.length, bytes - offset));
    client.send({ type: 'write', id: 2, handle, offset, data });
    requests += 1;
  }
  client.send({ type: 'close', id: 3, handle });
  for (; requests > 0; requests -= 1) await client.receive();
  const closed = await client.receive();
  if (closed.type !== 'status') throw new Error(`CLOSE was answered with ${closed.type}`);
  return closed;
}

async function storedFiles(prefix: string): Promise<{ files: number; bytes: number }> {
  const [sum] = await rig.database.query(
    'select count(*)::int as files, coalesce(sum(size), 0)::int as bytes from filebox.entries where name like $1',
    [`${prefix}%`],
  );
  return { files: Number(sum?.['files']), bytes: Number(sum?.['bytes']) };
}

/** All at once; returns how many were stored, after checking that each other one was told the limit. */
async function sendAll(prefix: string, refusal: string): Promise<number> {
  const told = await Promise.all(clients.map((client, index) => send(client, `/data/${prefix}${index}`)));
  const refused = told.filter(({ code }) => code !== statusCode.ok);
  for (const { code, message } of refused) expect([code, message]).toEqual([statusCode.failure, refusal]);
  return told.length - refused.length;
}

it('of 50 uploads at once over two gateways as many are stored as the limit of files allows, and the others are told so', async () => {
  await limit({ files: 20 });
  expect(await sendAll('counted', 'The virtual file system may hold 20 files at most')).toBe(20);
  expect(await storedFiles('counted')).toEqual({ files: 20, bytes: 20 * fileBytes });
  await limit(undefined);
});

it('of 50 uploads at once no more bytes are stored than the limit allows, and the remainder can be used to the last byte', async () => {
  const { bytes: before } = await storedFiles('');
  const most = before + 20 * fileBytes + 7;
  await limit({ bytes: most });
  const refusal = `The virtual file system may hold ${most.toLocaleString('en')} bytes at most`;
  const stored = await sendAll('weighed', refusal);
  expect(stored).toBeGreaterThan(0);
  expect(await storedFiles('weighed')).toEqual({ files: stored, bytes: stored * fileBytes });
  expect(stored).toBeLessThanOrEqual(20);

  // The room of those that did not fit is free again.
  const left = most - before - stored * fileBytes;
  const [client] = clients;
  if (client === undefined) throw new Error('no client is connected');
  expect(await send(client, '/data/too-much', left + 1)).toMatchObject({ code: statusCode.failure, message: refusal });
  expect(await send(client, '/data/the-rest', left)).toMatchObject({ code: statusCode.ok });
  expect((await storedFiles('')).bytes).toBe(most);
  await limit(undefined);
});
