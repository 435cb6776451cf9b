import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPublicKey,
  decapsulate,
  diffieHellman,
  generateKeyPairSync,
  randomBytes,
  verify,
} from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { waitFor } from '@waybill/test-kit/wait-for';

/** Numbers of SSH messages (RFC 4250, section 4.1.2). */
export const message = {
  disconnect: 1,
  ignore: 2,
  serviceRequest: 5,
  serviceAccept: 6,
  extInfo: 7,
  kexInit: 20,
  newKeys: 21,
  kexEcdhInit: 30,
  kexEcdhReply: 31,
  userauthRequest: 50,
  userauthFailure: 51,
  userauthSuccess: 52,
  globalRequest: 80,
  channelOpen: 90,
  channelOpenConfirmation: 91,
  channelOpenFailure: 92,
  channelWindowAdjust: 93,
  channelData: 94,
  channelExtendedData: 95,
  channelEof: 96,
  channelClose: 97,
  channelRequest: 98,
  channelSuccess: 99,
  channelFailure: 100,
} as const;

const banner = 'SSH-2.0-HandshakeTest';
const cipher = 'aes256-gcm@openssh.com';
const x25519Prefix = Buffer.from('302a300506032b656e032100', 'hex');
const ed25519Prefix = Buffer.from('302a300506032b6570032100', 'hex');

/** Bytes preceded by their length. */
export function string(bytes: Buffer | string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(bytes));
  return Buffer.concat([length, Buffer.from(bytes)]);
}

interface Keys {
  readonly key: Buffer;
  readonly iv: Buffer;
}

/**
 * The transport layer of SSH with mlkem768x25519-sha256, an Ed25519 host key and AES-GCM, implemented from the
 * specifications only (RFC 4253, RFC 5647, draft-ietf-sshm-mlkem-hybrid-kex): it shares no code with ssh2 that could be
 * wrong in both.
 */
export class HandshakeClient implements AsyncDisposable {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #closed = false;
  #serverBanner = '';
  #sessionId: Buffer | undefined;
  #out: Keys | undefined;
  #in: Keys | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('error', () => {});
    socket.on('close', () => (this.#closed = true));
    socket.on('data', (chunk: Buffer) => (this.#received = Buffer.concat([this.#received, chunk])));
  }

  /** Connects, and exchanges banners. */
  static async open(port: number, localAddress = '127.0.0.1'): Promise<HandshakeClient> {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    await once(socket, 'connect');
    const client = new HandshakeClient(socket);
    socket.write(`${banner}\r\n`);
    const end = await client.#until(() => client.#received.indexOf('\r\n') + 1, 'the banner');
    client.#serverBanner = client.#received.toString('latin1', 0, end - 1);
    client.#received = client.#received.subarray(end + 1);
    return client;
  }

  /**
   * Exchanges keys, or renews them, on the client's or the server's initiative. Returns the exchange hash.
   * @throws Error if the server's proof is wrong
   */
  async exchangeKeys(wish: 'ours' | 'theirs' = 'ours'): Promise<Buffer> {
    const asked = wish === 'theirs' ? await this.receive(message.kexInit) : undefined;
    const ours = this.sendKexInit();
    const theirs = asked ?? (await this.receive(message.kexInit));
    const mlkem = generateKeyPairSync('ml-kem-768');
    const x25519 = generateKeyPairSync('x25519');
    const init = Buffer.concat([rawOf(mlkem.publicKey, 1184), rawOf(x25519.publicKey, 32)]);
    this.send(Buffer.concat([Buffer.of(message.kexEcdhInit), string(init)]));

    const [hostKey, reply, signature] = stringsOf((await this.receive(message.kexEcdhReply)).subarray(1));
    if (hostKey === undefined || signature === undefined || reply?.length !== 1120) throw new Error('a wrong reply');
    const secret = createHash('sha256')
      .update(decapsulate(mlkem.privateKey, reply.subarray(0, 1088)))
      .update(
        diffieHellman({
          privateKey: x25519.privateKey,
          publicKey: createPublicKey({
            key: Buffer.concat([x25519Prefix, reply.subarray(1088)]),
            format: 'der',
            type: 'spki',
          }),
        }),
      )
      .digest();
    const hashed = [banner, this.#serverBanner, ours, theirs, hostKey, init, reply, secret];
    const exchangeHash = createHash('sha256')
      .update(Buffer.concat(hashed.map(string)))
      .digest();
    if (!isSignedBy(hostKey, exchangeHash, signature)) throw new Error('the exchange hash is not what was signed');

    this.#sessionId ??= exchangeHash;
    const derive = (letter: string): Buffer =>
      createHash('sha256')
        .update(Buffer.concat([string(secret), exchangeHash, Buffer.from(letter), this.#sessionId ?? exchangeHash]))
        .digest();
    this.send(Buffer.of(message.newKeys));
    this.#out = { key: derive('C'), iv: derive('A').subarray(0, 12) };
    await this.receive(message.newKeys);
    this.#in = { key: derive('D'), iv: derive('B').subarray(0, 12) };
    return exchangeHash;
  }

  /** Offers this one key exchange, and returns the packet. */
  sendKexInit(kex = 'mlkem768x25519-sha256,kex-strict-c-v00@openssh.com'): Buffer {
    const lists = [kex, 'ssh-ed25519', cipher, cipher, 'hmac-sha2-256', 'hmac-sha2-256', 'none', 'none', '', ''];
    const packet = Buffer.concat([Buffer.of(message.kexInit), randomBytes(16), ...lists.map(string), Buffer.alloc(5)]);
    this.send(packet);
    return packet;
  }

  send(payload: Buffer): void {
    const sealed = this.#out !== undefined;
    const block = sealed ? 16 : 8;
    const padding = block - ((payload.length + (sealed ? 1 : 5)) % block) + (block < 16 ? 8 : 16);
    const body = Buffer.concat([Buffer.of(padding), payload, randomBytes(padding)]);
    const packet = string(body);
    if (this.#out === undefined) {
      this.#socket.write(packet);
      return;
    }
    const aes = createCipheriv('aes-256-gcm', this.#out.key, this.#out.iv);
    aes.setAAD(packet.subarray(0, 4));
    this.#socket.write(Buffer.concat([packet.subarray(0, 4), aes.update(body), aes.final(), aes.getAuthTag()]));
    this.#out = { ...this.#out, iv: nextIv(this.#out.iv) };
  }

  /** The next packet, which must have that type. */
  async receive(type: number): Promise<Buffer> {
    const payload = await this.receiveAny(`packet ${type}`);
    if (payload[0] !== type) throw new Error(`packet ${payload[0]} came instead of ${type}`);
    return payload;
  }

  /** The next packet, whatever it is. */
  async receiveAny(what = 'a packet'): Promise<Buffer> {
    const tag = this.#in === undefined ? 0 : 16;
    const complete = () =>
      this.#received.length >= 4 && this.#received.length >= this.#received.readUInt32BE() + 4 + tag;
    await this.#until(complete, what);
    const end = 4 + this.#received.readUInt32BE();
    const length = this.#received.subarray(0, 4);
    let body = this.#received.subarray(4, end);
    if (this.#in !== undefined) {
      const aes = createDecipheriv('aes-256-gcm', this.#in.key, this.#in.iv);
      aes.setAAD(length).setAuthTag(this.#received.subarray(end, end + tag));
      body = Buffer.concat([aes.update(body), aes.final()]);
      this.#in = { ...this.#in, iv: nextIv(this.#in.iv) };
    }
    this.#received = this.#received.subarray(end + tag);
    return body.subarray(1, body.length - body.readUInt8(0));
  }

  /** Resolves when the server has closed the connection. */
  async closed(timeoutMs = 3_000): Promise<void> {
    await waitFor(() => this.#closed, { what: 'the server to hang up', timeoutMs });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.destroy();
    await this.closed();
  }

  async #until<T>(condition: () => T | false | 0, what: string): Promise<T> {
    await waitFor(() => condition() || this.#closed, { what, timeoutMs: 20_000, intervalMs: 2 });
    const met = condition();
    if (!met) throw new Error(`the server has hung up before ${what}`);
    return met;
  }
}

/** The strings in a packet, one after the other. */
export function stringsOf(bytes: Buffer): Buffer[] {
  const strings = [];
  for (let at = 0; at + 4 <= bytes.length;) {
    const end = at + 4 + bytes.readUInt32BE(at);
    strings.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return strings;
}

function rawOf(publicKey: ReturnType<typeof createPublicKey>, length: number): Buffer {
  return publicKey.export({ type: 'spki', format: 'der' }).subarray(-length);
}

function isSignedBy(hostKey: Buffer, data: Buffer, signature: Buffer): boolean {
  const [, raw = Buffer.alloc(0)] = stringsOf(hostKey);
  const [, bytes = Buffer.alloc(0)] = stringsOf(signature);
  const key = createPublicKey({ key: Buffer.concat([ed25519Prefix, raw]), format: 'der', type: 'spki' });
  return verify(null, data, key, bytes);
}

/** The last eight bytes count packets (RFC 5647, section 7.1). */
function nextIv(iv: Buffer): Buffer {
  const next = Buffer.from(iv);
  next.writeBigUInt64BE(BigInt.asUintN(64, next.readBigUInt64BE(4) + 1n), 4);
  return next;
}
