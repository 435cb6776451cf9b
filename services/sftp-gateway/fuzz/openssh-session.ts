import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { encodeRequest } from '@waybill/sftp-protocol/requests/encode-request';
import { decodeResponse } from '@waybill/sftp-protocol/responses/decode-response';
import type { SftpResponse } from '@waybill/sftp-protocol/responses/sftp-response';
import { PacketReader } from '@waybill/sftp-protocol/wire/packet-reader';
import type { Player } from './players.ts';

/** A session with OpenSSH's `sftp-server`, without SSH: a child process, on the files of this machine. */
export async function startOpensshSession(program: string): Promise<Player & AsyncDisposable> {
  const server = spawn(program, ['-l', 'QUIET'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = once(server, 'exit');
  const reader = new PacketReader(1024 * 1024);
  const waiting: { resolve(response: SftpResponse): void; reject(error: Error): void }[] = [];
  let hasEnded = false;
  const fail = (): void => {
    hasEnded = true;
    for (const { reject } of waiting.splice(0)) reject(new Error(`${program} has ended`));
  };
  ended.then(fail, fail);
  server.stdout.on('data', (chunk: Buffer) => {
    reader.push(chunk);
    for (let packet = reader.read(); packet !== undefined; packet = reader.read()) {
      waiting.shift()?.resolve(decodeResponse(Buffer.from(packet)));
    }
  });
  const session: Player & AsyncDisposable = {
    ask: (request) => {
      const { promise, resolve, reject } = Promise.withResolvers<SftpResponse>();
      if (hasEnded) reject(new Error(`${program} has ended`));
      else waiting.push({ resolve, reject });
      server.stdin.write(encodeRequest(request));
      return promise;
    },
    [Symbol.asyncDispose]: async () => {
      server.stdin.end();
      await ended;
    },
  };
  await session.ask({ type: 'init', version: 3, extensions: [] });
  return session;
}
