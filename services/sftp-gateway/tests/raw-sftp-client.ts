import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { encodeRequest } from '@waybill/sftp-protocol/requests/encode-request';
import type { SftpRequest } from '@waybill/sftp-protocol/requests/sftp-request';
import { decodeResponse } from '@waybill/sftp-protocol/responses/decode-response';
import type { SftpResponse } from '@waybill/sftp-protocol/responses/sftp-response';
import { PacketReader } from '@waybill/sftp-protocol/wire/packet-reader';
import { Client, type ClientChannel } from 'ssh2';
import { isObject, method, property } from '../src/sftp/ssh2/insides-of-ssh2.ts';

/** A client that sends exactly what a test wants, right or wrong. */
export interface RawSftpClient extends AsyncDisposable {
  readonly connection: Client;
  readonly socket: Socket;
  readonly channel: ClientChannel;
  /** Sends raw bytes. */
  sendBytes(bytes: Buffer): void;
  send(request: SftpRequest): void;
  /** The next response, in order of arrival. */
  receive(): Promise<SftpResponse>;
  /** Sends and receives. */
  ask(request: SftpRequest): Promise<SftpResponse>;
  /** Resolves when the server has closed the channel. */
  readonly closed: Promise<unknown>;
  /** Packets received but not read. */
  readonly unread: readonly SftpResponse[];
}

/** Logs in and opens the sftp subsystem; INIT is left to the test unless `initialise` is set. */
export async function connectRawSftp(login: {
  port: number;
  user: string;
  /** Instead of the user's password, or before it. */
  privateKey?: string;
  withBoth?: boolean;
  initialise?: boolean;
  /** What the client claims to accept, if different from ssh2: bytes in total, and in one packet. */
  claims?: { window: number; packetBytes: number };
}): Promise<RawSftpClient> {
  const connection = new Client();
  connection.on('error', () => {});
  const disconnected = new Promise((resolve) => connection.once('close', () => resolve(true)));
  const socket = connect(login.port, '127.0.0.1');
  connection.connect({
    sock: socket,
    username: login.user,
    ...(login.privateKey === undefined ? {} : { privateKey: login.privateKey }),
    ...(login.privateKey === undefined || login.withBoth ? { password: `${login.user}-demo` } : {}),
    ...(login.withBoth && { authHandler: ['publickey', 'password'] }),
  });
  await once(connection, 'ready');
  const { claims } = login;
  if (claims !== undefined) claim(connection, claims);
  const client = await openRawChannel({ connection, socket });
  if (login.initialise !== false) await client.ask({ type: 'init', version: 3, extensions: [] });
  return {
    ...client,
    [Symbol.asyncDispose]: async () => {
      connection.end();
      await disconnected;
    },
  };
}

/** Opens one more sftp subsystem of a connection without an INIT; disposing of it closes only the channel. */
export async function openRawChannel({
  connection,
  socket,
}: Pick<RawSftpClient, 'connection' | 'socket'>): Promise<RawSftpClient> {
  const channel = await new Promise<ClientChannel>((resolve, reject) => {
    connection.subsys('sftp', (error, channel) => (error ? reject(error) : resolve(channel)));
  });
  channel.on('error', () => {});
  const reader = new PacketReader(1024 * 1024);
  const unread: SftpResponse[] = [];
  const waiting: ((response: SftpResponse) => void)[] = [];
  channel.on('data', (chunk: Buffer) => {
    reader.push(chunk);
    for (let packet = reader.read(); packet !== undefined; packet = reader.read()) {
      const response = decodeResponse(Buffer.from(packet));
      const taker = waiting.shift();
      if (taker === undefined) unread.push(response);
      else taker(response);
    }
  });
  const send = (request: SftpRequest) => void channel.write(encodeRequest(request));
  const receive = (): Promise<SftpResponse> => {
    const next = unread.shift();
    return next === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(next);
  };
  const closed = once(channel, 'close');
  return {
    connection,
    socket,
    channel,
    sendBytes: (bytes) => void channel.write(bytes),
    send,
    receive,
    ask: (request) => {
      send(request);
      return receive();
    },
    closed,
    unread,
    [Symbol.asyncDispose]: async () => {
      channel.close();
      await closed;
    },
  };
}

function claim(connection: Client, { window, packetBytes }: { window: number; packetBytes: number }): void {
  const protocol = property(connection, '_protocol');
  const open = method(protocol, 'session');
  if (!isObject(protocol)) throw new TypeError('ssh2: a client has no protocol');
  Reflect.set(protocol, 'session', (id: number) => Reflect.apply(open, protocol, [id, window, packetBytes]));
}
