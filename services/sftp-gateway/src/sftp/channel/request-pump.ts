import { decodeRequest } from '@waybill/sftp-protocol/requests/decode-request';
import type { SftpRequest } from '@waybill/sftp-protocol/requests/sftp-request';
import { PacketReader } from '@waybill/sftp-protocol/wire/packet-reader';
import { protocolLimits } from '@waybill/sftp-protocol/wire/protocol-limits';
import { SftpProtocolError } from '@waybill/sftp-protocol/wire/sftp-protocol-error';
import type { TransferBuffers } from '../transfers/transfer-buffers.ts';

/** What a pump needs of its channel. */
export interface PumpPorts {
  readonly requestsInFlight: number;
  readonly bytesInFlight: number;
  /** For the content of a WRITE: it is released when the WRITE is answered. */
  readonly transferBuffers: TransferBuffers;
  /** Stops and restarts the flow of chunks into `receive`. */
  pause(): void;
  resume(): void;
  /** Answers a request; resolves when the response is queued. Never rejects. */
  answer(request: SftpRequest): Promise<void>;
  /** A request with a malformed body in a valid packet. */
  refuse(requestId: number, error: SftpProtocolError): void;
  /** The client has ended and everything is answered, or (with an error) it has violated the protocol. */
  finished(error?: SftpProtocolError): void;
}

/**
 * Turns the bytes of a channel into requests, and decides how many are processed at a time. READ and WRITE overlap up
 * to a number of requests and bytes; at that limit the channel is paused, so that the SSH window closes and the client
 * waits. All other requests run alone and in order: a CLOSE after all its WRITEs, a RENAME after the CLOSE before it.
 */
export class RequestPump {
  readonly #ports: PumpPorts;
  readonly #reader: PacketReader;
  /** Of packets and the WRITEs in them. */
  readonly #releases = new WeakMap<object, () => void>();
  #waiting: SftpRequest | undefined;
  #requests = 0;
  #bytes = 0;
  #runsAlone = false;
  #clientEnded = false;
  #stopped = false;

  constructor(ports: PumpPorts) {
    this.#ports = ports;
    this.#reader = new PacketReader(undefined, (length) => {
      const { bytes, release } = ports.transferBuffers.take(length);
      if (release !== undefined) this.#releases.set(bytes, release);
      return bytes;
    });
  }

  /** Whether a request is being processed or waits. */
  get busy(): boolean {
    return this.#requests > 0 || this.#waiting !== undefined;
  }

  receive(chunk: Buffer): void {
    if (this.#stopped) return;
    this.#reader.push(chunk);
    this.#pump();
  }

  /** The client will send no more. */
  end(): void {
    this.#clientEnded = true;
    this.#pump();
  }

  /**
   * The client has disconnected: its received WRITEs are still processed, so that it need not send them again. Nothing
   * else is, and nothing after it.
   * @param rest the bytes that were received and not passed to `receive`
   */
  finishWrites(rest: Buffer | undefined): void {
    if (rest !== undefined) this.#reader.push(rest);
    // A WRITE after a request that runs alone could take effect before it.
    while (!this.#stopped && !this.#runsAlone) {
      const request = this.#waiting ?? this.#next();
      this.#waiting = undefined;
      if (request?.type !== 'write') break;
      void this.#run(request);
    }
    this.stop();
  }

  /** Accepts no further request. */
  stop(): void {
    this.#stopped = true;
    this.#waiting = undefined;
  }

  #pump(): void {
    while (!this.#stopped) {
      this.#waiting ??= this.#next();
      const request = this.#waiting;
      if (request === undefined) {
        if (this.#clientEnded) this.#finishWhenIdle();
        else this.#ports.resume();
        return;
      }
      if (!this.#mayStart(request)) {
        this.#ports.pause();
        return;
      }
      this.#waiting = undefined;
      void this.#run(request);
    }
  }

  #next(): SftpRequest | undefined {
    try {
      for (let packet = this.#reader.read(); packet !== undefined; packet = this.#reader.read()) {
        const request = this.#decode(packet);
        if (request !== undefined) return request;
      }
    } catch (error) {
      if (!(error instanceof SftpProtocolError)) throw error;
      this.#fail(error);
    }
    return undefined;
  }

  #decode(packet: Buffer): SftpRequest | undefined {
    try {
      const request = decodeRequest(packet);
      const release = this.#releases.get(packet);
      if (release !== undefined && request.type === 'write') this.#releases.set(request, release);
      return request;
    } catch (error) {
      if (!(error instanceof SftpProtocolError) || error.requestId === undefined) throw error;
      this.#ports.refuse(error.requestId, error);
      return undefined;
    }
  }

  #mayStart(request: SftpRequest): boolean {
    if (this.#requests === 0) return true;
    if (this.#runsAlone || costOf(request) === undefined) return false;
    const { requestsInFlight, bytesInFlight } = this.#ports;
    return this.#requests < requestsInFlight && this.#bytes + (costOf(request) ?? 0) <= bytesInFlight;
  }

  async #run(request: SftpRequest): Promise<void> {
    const cost = costOf(request);
    this.#requests += 1;
    this.#bytes += cost ?? 0;
    this.#runsAlone = cost === undefined;
    await this.#ports.answer(request);
    this.#releases.get(request)?.();
    this.#requests -= 1;
    this.#bytes -= cost ?? 0;
    this.#runsAlone = false;
    this.#pump();
  }

  #finishWhenIdle(): void {
    if (this.#requests > 0) return;
    if (this.#reader.midPacket) {
      this.#fail(new SftpProtocolError('truncated', 'The client ended in the middle of a packet'));
    } else if (!this.#stopped) {
      this.stop();
      this.#ports.finished();
    }
  }

  #fail(error: SftpProtocolError): void {
    if (this.#stopped) return;
    this.stop();
    this.#ports.finished(error);
  }
}

/** The bytes in memory of a request that may overlap others; undefined for one that runs alone. */
function costOf(request: SftpRequest): number | undefined {
  if (request.type === 'write') return request.data.length;
  if (request.type === 'read') return Math.min(request.length, protocolLimits.dataBytes);
  return undefined;
}
