import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** Servers of partners that stop answering in the middle of what a task does, as long as they are told to. */
export interface HeldCounterparts extends AsyncDisposable {
  /** Whether they stop. */
  isHolding: boolean;
  /** What is held now, by the names of the counterparts. */
  readonly held: Set<string>;
  /** `Idempotency-Key` or `webhook-id` of the requests of each path, in their order. */
  readonly requests: Map<string, string[]>;
  /** `Message-ID` of each mail. */
  readonly mails: string[];
  readonly httpPort: number;
  readonly smtpPort: number;
  /** Passes connections on to a port. Held, each has transferred more than so many bytes in either direction. */
  proxy(name: string, port: number, bytes: number): Promise<number>;
}

/** Starts them on the loopback interface. */
export async function startHeldCounterparts(): Promise<HeldCounterparts> {
  const stop = new AsyncDisposableStack();
  const [held, requests, mails] = [new Set<string>(), new Map<string, string[]>(), [] as string[]];
  const state = { isHolding: false };
  const listening = async (server: Server): Promise<number> => {
    const sockets = new Set<Socket>();
    server.on('connection', (socket: Socket) => {
      socket.on('error', () => {});
      sockets.add(socket.once('close', () => sockets.delete(socket)));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    stop.defer(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    return (server.address() as AddressInfo).port;
  };

  const http = createHttpServer((request, response) => {
    const { url = '', headers } = request;
    void buffer(request).then(() => {
      const key = String(headers['webhook-id'] ?? headers['idempotency-key']);
      requests.set(url, [...(requests.get(url) ?? []), key]);
      if (state.isHolding) held.add(url);
      else response.end();
    });
  });
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        mails.push(/^Message-ID: (.*)$/mu.exec(Buffer.concat(chunks).toString())?.[1] ?? '');
        if (state.isHolding) held.add('mail');
        else done();
      });
    },
  });
  smtp.on('error', () => {});
  const [httpPort, smtpPort] = [await listening(http), await listening(smtp.server)];
  const proxy: HeldCounterparts['proxy'] = (name, port, bytes) =>
    listening(
      createServer((near) => {
        const far = connect(port, '127.0.0.1').on('error', () => near.destroy());
        near.on('close', () => far.destroy());
        far.on('close', () => near.destroy());
        const pass = (from: Socket, to: Socket): void => {
          let passed = 0;
          from.on('data', (chunk: Buffer) => {
            passed += chunk.length;
            if (state.isHolding && passed > bytes) held.add(name);
            else to.write(chunk);
          });
        };
        pass(near, far);
        pass(far, near);
      }),
    );
  return {
    get isHolding() {
      return state.isHolding;
    },
    set isHolding(isHolding) {
      state.isHolding = isHolding;
    },
    held,
    requests,
    mails,
    httpPort,
    smtpPort,
    proxy,
    [Symbol.asyncDispose]: () => stop.disposeAsync(),
  };
}
