import { statusCode } from '@waybill/sftp-protocol/responses/status-code';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectRawSftp, type RawSftpClient } from './raw-sftp-client.ts';
import { oneGateway } from './test-gateways.ts';

const { read, write, create, truncate } = openFlag;
const target = Buffer.from('/data/target');
const writers = 3;

const peer = oneGateway();
let clients: RawSftpClient[];

beforeAll(async () => {
  const login = { port: peer.gateway.sftpPort, user: 'globex' };
  clients = await Promise.all(Array.from({ length: writers + 1 }, () => connectRawSftp(login)));
});
afterAll(async () => {
  for (const client of clients ?? []) await client[Symbol.asyncDispose]();
});

async function put(client: RawSftpClient, path: Buffer, data: Buffer): Promise<void> {
  const flags = write | create | truncate;
  const opened = await client.ask({ type: 'open', id: 1, path, flags, attributes: {} });
  if (opened.type !== 'handle') throw new Error(`OPEN was answered with ${opened.type}`);
  await client.ask({ type: 'write', id: 2, handle: opened.handle, offset: 0, data });
  expect(await client.ask({ type: 'close', id: 3, handle: opened.handle })).toMatchObject({ code: statusCode.ok });
}

/** The writer whose complete bytes are there; any other content is described. */
async function look(client: RawSftpClient): Promise<string> {
  const opened = await client.ask({ type: 'open', id: 4, path: target, flags: read, attributes: {} });
  if (opened.type !== 'handle') return opened.type === 'status' ? `status ${opened.code}` : opened.type;
  const answer = await client.ask({ type: 'read', id: 5, handle: opened.handle, offset: 0, length: 2_000 });
  await client.ask({ type: 'close', id: 6, handle: opened.handle });
  if (answer.type !== 'data' || answer.data.length !== 1_000) return answer.type;
  const [first] = answer.data;
  return answer.data.every((byte) => byte === first) ? 'whole' : 'mixed';
}

it('posix-rename of several sessions at once leaves no moment without a file, and none with parts of two', async () => {
  const [reader, ...renamers] = clients;
  if (reader === undefined) throw new Error('there is a reader');
  await put(reader, target, Buffer.alloc(1_000, 9));
  const storm = { isOver: false };
  const work = renamers.map(async (client, index) => {
    const oldPath = Buffer.from(`/data/source${index}`);
    for (let round = 0; round < 15; round += 1) {
      await put(client, oldPath, Buffer.alloc(1_000, index));
      const renamed = await client.ask({ type: 'posix-rename', id: 7, oldPath, newPath: target });
      expect(renamed).toMatchObject({ code: statusCode.ok });
    }
  });
  const ended = Promise.all(work).finally(() => (storm.isOver = true));
  const seen = new Map<string, number>();
  while (!storm.isOver) {
    const found = await look(reader);
    seen.set(found, (seen.get(found) ?? 0) + 1);
  }
  await ended;
  expect([...seen.keys()]).toEqual(['whole']);
  expect(seen.get('whole')).toBeGreaterThan(5);
});
