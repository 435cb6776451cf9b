import { HandshakeClient, message, string } from './handshake-client.ts';

/** The fields of a channel open request (RFC 4254, section 5.1). */
export interface ChannelOffer {
  /** The client's number of the channel. */
  readonly id: number;
  readonly type?: string;
  readonly window?: number;
  readonly packetBytes?: number;
  /** Empty strings appended for channel types with more fields. */
  readonly extra?: number;
}

/** The server's number of a channel, or why it was refused. */
export type ChannelAnswer = { readonly remoteId: number } | { readonly reason: number; readonly description: string };

/** A packet about a channel, with the client's number of it. */
export interface ChannelPacket {
  readonly type: number;
  readonly id: number;
  readonly payload: Buffer;
}

/** The connection protocol of SSH (RFC 4254) on `HandshakeClient`: it sends what a test wants, in any order. */
export class ChannelClient implements AsyncDisposable {
  readonly transport: HandshakeClient;
  /** How often the server has closed a channel, by the client's number of it. */
  readonly closes = new Map<number, number>();

  private constructor(transport: HandshakeClient) {
    this.transport = transport;
  }

  /** Connects, exchanges keys and logs in with the password of the rig. */
  static async logIn(port: number, user = 'globex', localAddress?: string): Promise<ChannelClient> {
    const transport = await HandshakeClient.open(port, localAddress);
    await transport.exchangeKeys();
    await requestUserauth(transport);
    transport.send(userauthRequest(user, 'password', Buffer.of(0), string(`${user}-demo`)));
    await transport.receive(message.userauthSuccess);
    // The host keys, which a client may ignore.
    await transport.receive(message.globalRequest);
    return new ChannelClient(transport);
  }

  /** Opens a channel and waits for the response; packets before that are skipped. */
  async open(offer: ChannelOffer): Promise<ChannelAnswer> {
    this.sendOpen(offer);
    for (;;) {
      const { type, id, payload } = await this.receive();
      if (id !== offer.id) continue;
      if (type === message.channelOpenConfirmation) return { remoteId: payload.readUInt32BE(5) };
      if (type !== message.channelOpenFailure) continue;
      return {
        reason: payload.readUInt32BE(5),
        description: payload.toString('utf8', 13, 13 + payload.readUInt32BE(9)),
      };
    }
  }

  sendOpen({ id, type = 'session', window = 2 ** 21, packetBytes = 2 ** 15, extra = 0 }: ChannelOffer): void {
    const sizes = [uint32(id), uint32(window), uint32(packetBytes)];
    this.#send(message.channelOpen, string(type), ...sizes, Buffer.alloc(4 * extra));
  }

  /** Requests to start something in a channel: `exec`, `shell`, `subsystem`. A reply is wanted. */
  sendRequest(remoteId: number, kind: string, name?: string): void {
    const data = name === undefined ? [] : [string(name)];
    this.#send(message.channelRequest, uint32(remoteId), string(kind), Buffer.of(1), ...data);
  }

  sendData(remoteId: number, data: Buffer): void {
    this.#send(message.channelData, uint32(remoteId), string(data));
  }

  sendWindow(remoteId: number, bytes: number): void {
    this.#send(message.channelWindowAdjust, uint32(remoteId), uint32(bytes));
  }

  sendEof(remoteId: number): void {
    this.#send(message.channelEof, uint32(remoteId));
  }

  sendClose(remoteId: number): void {
    this.#send(message.channelClose, uint32(remoteId));
  }

  /** The next packet about a channel. */
  async receive(): Promise<ChannelPacket> {
    for (;;) {
      const payload = await this.transport.receiveAny('a packet of a channel');
      const type = payload.readUInt8(0);
      if (type === message.disconnect) throw new Error(`hung up: ${payload.toString('utf8', 9)}`);
      if (type <= message.channelOpen) continue;
      const id = payload.readUInt32BE(1);
      if (type === message.channelClose) this.closes.set(id, (this.closes.get(id) ?? 0) + 1);
      return { type, id, payload };
    }
  }

  /** All packets about a channel up to its CLOSE. */
  async receiveUntilClosed(id: number): Promise<ChannelPacket[]> {
    const packets: ChannelPacket[] = [];
    for (;;) {
      const packet = await this.receive();
      if (packet.id !== id) continue;
      packets.push(packet);
      if (packet.type === message.channelClose) return packets;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.transport[Symbol.asyncDispose]();
  }

  #send(type: number, ...parts: readonly Buffer[]): void {
    this.transport.send(Buffer.concat([Buffer.of(type), ...parts]));
  }
}

/** Requests the login service, and waits for the response. */
export async function requestUserauth(transport: HandshakeClient): Promise<void> {
  transport.send(Buffer.concat([Buffer.of(message.serviceRequest), string('ssh-userauth')]));
  await transport.receive(message.serviceAccept);
}

/** A login attempt (RFC 4252, section 5). */
export function userauthRequest(user: string, method: string, ...parts: readonly Buffer[]): Buffer {
  const head = [Buffer.of(message.userauthRequest), string(user), string('ssh-connection'), string(method)];
  return Buffer.concat([...head, ...parts]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
