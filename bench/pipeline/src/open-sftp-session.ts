import { once } from 'node:events';
import { encodeRequest } from '@waybill/sftp-protocol/requests/encode-request';
import type { SftpRequest } from '@waybill/sftp-protocol/requests/sftp-request';
import { decodeResponse } from '@waybill/sftp-protocol/responses/decode-response';
import type { SftpResponse } from '@waybill/sftp-protocol/responses/sftp-response';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { PacketReader } from '@waybill/sftp-protocol/wire/packet-reader';
import { Client, type ClientChannel } from 'ssh2';

/** The server, and the user. */
export interface SftpLogin {
  readonly port: number;
  readonly user: string;
  readonly privateKey: Buffer;
}

/** A session that sends one request after the other; a refusal rejects. */
export interface SftpSession extends AsyncDisposable {
  stat(path: string): Promise<void>;
  /** OPEN, WRITE unless there are no bytes, and CLOSE. */
  create(path: string, content?: Buffer): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  makeFolder(path: string): Promise<void>;
  setTimes(path: string, seconds: number): Promise<void>;
}

type Identified = Exclude<SftpRequest, { type: 'init' }>;
type Unnumbered = Identified extends infer Request ? (Request extends Identified ? Omit<Request, 'id'> : never) : never;

/** Logs in and opens the SFTP channel. */
export async function openSftpSession({ port, user, privateKey }: SftpLogin): Promise<SftpSession> {
  const client = new Client();
  const closed = once(client, 'close').catch(() => {});
  client.connect({
    host: '127.0.0.1',
    port,
    username: user,
    privateKey,
    readyTimeout: 60_000,
    algorithms: { kex: ['curve25519-sha256'], serverHostKey: ['ssh-ed25519'], cipher: ['aes128-gcm@openssh.com'] },
  });
  await once(client, 'ready');
  client.setNoDelay(true);
  const channel = await new Promise<ClientChannel>((resolve, reject) => {
    client.subsys('sftp', (error, opened) => (error ? reject(error) : resolve(opened)));
  });
  const ask = askOver(channel);
  await ask({ type: 'init', version: 3, extensions: [] });
  return {
    ...operationsOf(ask),
    [Symbol.asyncDispose]: async () => {
      client.end();
      await closed;
    },
  };
}

type Ask = (request: SftpRequest) => Promise<SftpResponse>;

function askOver(channel: ClientChannel): Ask {
  const reader = new PacketReader(1024 * 1024);
  const waiting: PromiseWithResolvers<SftpResponse>[] = [];
  channel.on('data', (chunk: Buffer) => {
    reader.push(chunk);
    for (let packet = reader.read(); packet !== undefined; packet = reader.read()) {
      waiting.shift()?.resolve(decodeResponse(Buffer.from(packet)));
    }
  });
  channel.on('close', () => waiting.splice(0).forEach(({ reject }) => reject(new Error('The channel was closed'))));
  return (request) => {
    const answered = Promise.withResolvers<SftpResponse>();
    waiting.push(answered);
    channel.write(encodeRequest(request));
    return answered.promise;
  };
}

function operationsOf(ask: Ask) {
  let lastId = 0;
  const request = async (unnumbered: Unnumbered): Promise<SftpResponse> => {
    lastId += 1;
    const answer = await ask({ ...unnumbered, id: lastId });
    if (answer.type === 'status' && answer.code !== 0) throw new Error(`${unnumbered.type}: ${answer.message}`);
    return answer;
  };
  const ofPath = (path: string): { path: Buffer } => ({ path: Buffer.from(path) });
  return {
    stat: async (path: string) => void (await request({ type: 'stat', ...ofPath(path) })),
    create: async (path: string, content = Buffer.alloc(0)) => {
      const flags = openFlag.write | openFlag.create | openFlag.truncate;
      const opened = await request({ type: 'open', ...ofPath(path), flags, attributes: {} });
      if (opened.type !== 'handle') throw new Error(`open was answered with ${opened.type}`);
      const { handle } = opened;
      if (content.length > 0) await request({ type: 'write', handle, offset: 0, data: content });
      await request({ type: 'close', handle });
    },
    rename: async (from: string, to: string) => {
      await request({ type: 'rename', oldPath: Buffer.from(from), newPath: Buffer.from(to) });
    },
    remove: async (path: string) => void (await request({ type: 'remove', ...ofPath(path) })),
    makeFolder: async (path: string) => void (await request({ type: 'mkdir', ...ofPath(path), attributes: {} })),
    setTimes: async (path: string, seconds: number) => {
      const attributes = { times: { accessed: seconds, modified: seconds } };
      await request({ type: 'setstat', ...ofPath(path), attributes });
    },
  };
}
