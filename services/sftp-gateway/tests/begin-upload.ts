import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import type { RawSftpClient } from './raw-sftp-client.ts';

/** Opens a file and writes its beginning, without closing it. */
export async function beginUpload(client: RawSftpClient, path: string, bytes: Buffer): Promise<Buffer> {
  const flags = openFlag.write | openFlag.create | openFlag.truncate;
  const opened = await client.ask({ type: 'open', id: 1, path: Buffer.from(path), flags, attributes: {} });
  const handle = opened.type === 'handle' ? opened.handle : Buffer.alloc(0);
  for (let at = 0; at < bytes.length; at += 200_000) {
    const data = bytes.subarray(at, at + 200_000);
    const answer = await client.ask({ type: 'write', id: 2, handle, offset: at, data });
    if (answer.type !== 'status' || answer.code !== 0) throw new Error(`a WRITE was answered with ${answer.type}`);
  }
  return handle;
}
