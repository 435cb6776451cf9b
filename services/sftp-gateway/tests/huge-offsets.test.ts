import type { SftpRequest } from '@waybill/sftp-protocol/requests/sftp-request';
import { statusCode } from '@waybill/sftp-protocol/responses/status-code';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { beforeEach, describe, expect, it } from 'vitest';
import { gatewayWithClient } from './gateway-with-client.ts';

const { read, write, create, truncate } = openFlag;
const path = Buffer.from('/data/small');
const vast = [2 ** 53 - 1, 2 ** 53, 2 ** 63 - 1024, 2 ** 63, 2 ** 64 - 2048];

const peer = gatewayWithClient();

const open = (flags: number, of = path) => peer.open(of.toString(), flags);

const close = (handle: Buffer) => peer.client.ask({ type: 'close', id: 2, handle });

beforeEach(async () => {
  const handle = await open(write | create | truncate);
  await peer.client.ask({ type: 'write', id: 3, handle, offset: 0, data: Buffer.from('content') });
  await close(handle);
});

async function content(of = path): Promise<string> {
  const handle = await open(read, of);
  const answer = await peer.client.ask({ type: 'read', id: 4, handle, offset: 0, length: 100 });
  await close(handle);
  return answer.type === 'data' ? answer.data.toString() : answer.type;
}

describe.each(vast)('at %d', (offset) => {
  it('there is nothing to read, and nothing to hash', async () => {
    const handle = await open(read);
    const end = { type: 'status', code: statusCode.eof };
    expect(await peer.client.ask({ type: 'read', id: 5, handle, offset, length: 100 })).toMatchObject(end);
    const range = { algorithms: ['sha256'], offset, length: offset, blockBytes: 0 };
    const hashed = await peer.client.ask({ type: 'check-file-handle', id: 6, handle, ...range });
    expect(hashed.type === 'extended-reply' && hashed.data.toString('hex')).toContain('e3b0c44298fc1c149afb');
    await close(handle);
  });

  it('nothing is written: CLOSE reports that too, and the file is unchanged', async () => {
    const refusal = { type: 'status', code: statusCode.opUnsupported };
    const requests: ((handle: Buffer) => SftpRequest)[] = [
      (handle) => ({ type: 'write', id: 7, handle, offset, data: Buffer.from('x') }),
      (handle) => ({ type: 'fsetstat', id: 7, handle, attributes: { size: offset } }),
    ];
    for (const request of requests) {
      const handle = await open(write);
      expect(await peer.client.ask(request(handle))).toMatchObject(refusal);
      expect(await close(handle)).toMatchObject(refusal);
    }
    expect(await peer.client.ask({ type: 'setstat', id: 8, path, attributes: { size: offset } })).toMatchObject(
      refusal,
    );
    expect(await content()).toBe('content');
  });

  it('copy-data ends at the end of the source', async () => {
    const target = Buffer.from('/data/copy');
    const [handle, targetHandle] = [await open(read), await open(write | create | truncate, target)];
    const range = { handle, offset: 3, length: offset, targetHandle, targetOffset: 0 };
    expect(await peer.client.ask({ type: 'copy-data', id: 9, ...range })).toMatchObject({ code: statusCode.eof });
    expect(await close(targetHandle)).toMatchObject({ code: statusCode.ok });
    await close(handle);
    expect(await content(target)).toBe('tent');
  });
});
