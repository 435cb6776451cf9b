import type { SftpResponse } from '@waybill/sftp-protocol/responses/sftp-response';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { protocolLimits } from '@waybill/sftp-protocol/wire/protocol-limits';
import { waitFor } from '@waybill/test-kit/wait-for';
import { beforeAll, describe, expect, it } from 'vitest';
import { connectRawSftp, type RawSftpClient } from './raw-sftp-client.ts';
import { oneGateway } from './test-gateways.ts';

const peer = oneGateway();

beforeAll(async () => {
  await using client = await connectRawSftp(login());
  for (const fill of [1, 2]) await store(client, `/data/all-${fill}`, fill);
});

const login = () => ({ port: peer.gateway.sftpPort, user: 'globex' });
const parts = 24;
const partBytes = protocolLimits.dataBytes;

/** A file of one repeated byte, so that a foreign byte shows. */
async function store(client: RawSftpClient, path: string, fill: number): Promise<void> {
  const handle = await open(client, path, openFlag.write | openFlag.create | openFlag.truncate);
  const data = Buffer.alloc(partBytes, fill);
  for (let part = 0; part < parts; part += 1) {
    await client.ask({ type: 'write', id: 2, handle, offset: part * partBytes, data });
  }
  expect(await client.ask({ type: 'close', id: 3, handle })).toMatchObject({ type: 'status', code: 0 });
}

async function open(client: RawSftpClient, path: string, flags: number): Promise<Buffer> {
  const opened = await client.ask({ type: 'open', id: 1, path: Buffer.from(path), flags, attributes: {} });
  if (opened.type !== 'handle') throw new Error(`${path} was not opened`);
  return opened.handle;
}

/** Requests the whole file; a slow client does not read it yet. */
async function askForAll(client: RawSftpClient, fill: number, length: number, isSlow = false): Promise<number> {
  const handle = await open(client, `/data/all-${fill}`, openFlag.read);
  if (isSlow) client.channel.pause();
  const count = Math.ceil((parts * partBytes) / length);
  for (let id = 0; id < count; id += 1) {
    client.send({ type: 'read', id: 100 + id, handle, offset: id * length, length });
  }
  return count;
}

function expectOnly(answers: readonly SftpResponse[], fill: number): void {
  let bytes = 0;
  for (const answer of answers) {
    if (answer.type !== 'data') throw new Error(`a READ was answered with ${answer.type}`);
    expect(answer.data.every((byte) => byte === fill)).toBe(true);
    bytes += answer.data.length;
  }
  expect(bytes).toBe(parts * partBytes);
}

describe('the bytes sent to a client stay as they were read', () => {
  it.each([partBytes, 32 * 1024, 30_000, 3_000])('while others are faster: READs of %d bytes', async (length) => {
    await using slow = await connectRawSftp(login());
    await using fast = await connectRawSftp(login());
    const count = await askForAll(slow, 1, length, true);
    for (let round = 0; round < 2; round += 1) {
      const answers = await askForAll(fast, 2, length);
      await waitFor(() => fast.unread.length === answers, { what: 'the answers of the fast client' });
      expectOnly((fast.unread as SftpResponse[]).splice(0), 2);
    }
    slow.channel.resume();
    await waitFor(() => slow.unread.length === count, { what: 'the answers of the slow client' });
    expectOnly(slow.unread, 1);
  });

  it.each([1_024, 5_000, 32_768, 34_000])('with a small window and packets of %d bytes', async (packetBytes) => {
    await using client = await connectRawSftp({ ...login(), claims: { window: 1_100_001, packetBytes } });
    const count = await askForAll(client, 1, partBytes);
    await waitFor(() => client.unread.length === count, { what: 'all answers' });
    expectOnly(client.unread, 1);
  });

  it('when others disconnect in the middle of theirs', async () => {
    for (let round = 0; round < 5; round += 1) {
      await using leaving = await connectRawSftp(login());
      await using staying = await connectRawSftp(login());
      await askForAll(leaving, 1, partBytes, true);
      const count = await askForAll(staying, 2, partBytes);
      leaving.connection.destroy();
      await waitFor(() => staying.unread.length === count, { what: 'the answers of who stays' });
      expectOnly(staying.unread, 2);
    }
  });
});
