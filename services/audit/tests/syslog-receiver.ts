import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions, TLSSocket } from 'node:tls';
import { parseSyslog, splitFrames, type SyslogMessage } from './parse-syslog.ts';

/** What a receiver does with a connection. */
export type Behaviour = 'read' | 'read slowly' | 'close at once' | 'never read' | 'read half and reset';

/** A syslog receiver on the loopback interface that accepts valid messages only. */
export interface SyslogReceiver extends AsyncDisposable {
  readonly port: number;
  readonly messages: SyslogMessage[];
  /** What was not a sequence of valid messages. */
  readonly faults: string[];
  /** Connections, also those without a TLS session. */
  readonly attempts: number;
  /** The certificates of clients, by their subject. */
  readonly clients: string[];
  behaviour: Behaviour;
  /** The `sequence` of each message in JSON, in the order of arrival. */
  sequences(): number[];
}

/** Starts one, with TLS if it gets options. */
export async function startSyslogReceiver(tls?: TlsOptions, port = 0): Promise<SyslogReceiver> {
  const sockets = new Set<Socket>();
  const receiver = {
    messages: [] as SyslogMessage[],
    faults: [] as string[],
    attempts: 0,
    clients: [] as string[],
    behaviour: 'read' as Behaviour,
  };
  const accept = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    if (socket instanceof TLSSocket) receiver.clients.push(String(socket.getPeerCertificate().subject?.CN));
    serve(socket, receiver);
  };
  const server = tls ? createTlsServer(tls, accept).on('tlsClientError', () => {}) : createServer(accept);
  server.on('connection', () => (receiver.attempts += 1));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(receiver, {
    port: (server.address() as AddressInfo).port,
    sequences: () => receiver.messages.map(({ text }) => sequenceIn(text)),
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  });
}

function serve(socket: Socket, receiver: { messages: SyslogMessage[]; faults: string[]; behaviour: Behaviour }): void {
  const { behaviour } = receiver;
  if (behaviour === 'close at once') socket.end();
  if (behaviour === 'never read') socket.pause();
  if (behaviour === 'close at once' || behaviour === 'never read') return;
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    if (behaviour === 'read half and reset') {
      socket.resetAndDestroy();
      return;
    }
    try {
      const split = splitFrames(Buffer.concat([rest, chunk]));
      receiver.messages.push(...split.messages.map(parseSyslog));
      ({ rest } = split);
    } catch (error) {
      receiver.faults.push(String(error));
      socket.destroy();
    }
    if (behaviour === 'read slowly') {
      socket.pause();
      setTimeout(() => socket.resume(), 5);
    }
  });
  socket.on('end', () => {
    if (rest.length > 0) receiver.faults.push(`an incomplete message: ${rest.toString().slice(0, 100)}`);
  });
}

function sequenceIn(text: string): number {
  const parsed: unknown = JSON.parse(text);
  const isRecord = typeof parsed === 'object' && parsed !== null && 'sequence' in parsed;
  return isRecord ? Number(parsed.sequence) : Number.NaN;
}
