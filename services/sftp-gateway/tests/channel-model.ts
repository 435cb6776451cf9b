import { waitFor } from '@waybill/test-kit/wait-for';
import type { ChannelClient } from './channel-client.ts';

/** The limit of open channels of a connection. */
export const channelLimit = 10;

/** INIT of SFTP version 3. */
export const init = Buffer.from([0, 0, 0, 5, 1, 0, 0, 0, 3]);
/** STAT of `/`, many times: without a window their responses wait. */
export const stats = Buffer.concat(
  Array.from({ length: 50 }, () => Buffer.from([0, 0, 0, 10, 17, 0, 0, 0, 1, 0, 0, 0, 1, 47])),
);

/** What is started in a channel. */
export type ChannelKind = 'exec' | 'shell' | 'subsystem sftp' | 'subsystem other';
/** A step of a client. A channel is the server's number of one, possibly one that was never assigned. */
export type ChannelStep =
  | { readonly do: 'open'; readonly window: number; readonly packetBytes: number }
  | { readonly do: 'start'; readonly channel: number; readonly kind: ChannelKind }
  | { readonly do: 'init' | 'stats' | 'window' | 'eof' | 'close' | 'close twice'; readonly channel: number };

/**
 * A client with its knowledge of its channels: the ids are the server's, which assigns each once. A violation by the
 * server is thrown as an Error.
 */
export class ChannelModel {
  readonly #client: ChannelClient;
  readonly #entries: () => number;
  readonly #ids = new Map<number, number>();
  readonly #open = new Set<number>();
  /** Closed, but their requests may still be processed for a moment. */
  readonly #settling = new Set<number>();
  readonly #started = new Set<number>();
  #opened = 0;

  /** @param entries counts the entries of the server's table of channels */
  constructor(client: ChannelClient, entries: () => number) {
    this.#client = client;
    this.#entries = entries;
  }

  async take(step: ChannelStep): Promise<void> {
    if (step.do === 'open') return this.open(step);
    // Including numbers that were never assigned.
    const remoteId = step.channel;
    if (step.do === 'start') {
      const [kind, name] = step.kind.split(' ');
      this.#client.sendRequest(remoteId, kind ?? '', name ?? (kind === 'exec' ? 'id' : undefined));
      if (this.#open.has(remoteId)) this.#started.add(remoteId);
    } else if (step.do === 'eof') this.#client.sendEof(remoteId);
    else if (step.do === 'window') this.#client.sendWindow(remoteId, 2 ** 16);
    else if (step.do === 'init') this.#client.sendData(remoteId, init);
    else if (step.do === 'stats') this.#client.sendData(remoteId, stats);
    else this.close(remoteId, step.do === 'close' ? 1 : 2);
    return undefined;
  }

  async open(sizes: { readonly window?: number; readonly packetBytes?: number } = {}): Promise<void> {
    this.#opened += 1;
    const id = 1_000 + this.#opened;
    const answer = await this.#client.open({ id, ...sizes });
    const isOpen = 'remoteId' in answer;
    const isFull = this.#open.size >= channelLimit;
    const mayBeFull = this.#open.size + this.#settling.size >= channelLimit;
    if (sizes.packetBytes === 0) demand(!isOpen, 'channels without data to be refused');
    else if (isFull) demand(!isOpen, `no more than ${channelLimit} channels`);
    else demand(isOpen || mayBeFull, `a channel beside ${this.#open.size} others`);
    if (!isOpen) return;
    this.#ids.set(answer.remoteId, id);
    this.#open.add(answer.remoteId);
  }

  close(remoteId: number, times: number): void {
    for (let time = 0; time < times; time += 1) this.#client.sendClose(remoteId);
    if (this.#open.delete(remoteId) && this.#started.has(remoteId)) this.#settling.add(remoteId);
  }

  /** Closes everything: then nothing is left, the server has closed each once, and all places are free. */
  async finish(): Promise<void> {
    for (const remoteId of new Set(this.#open)) this.close(remoteId, 1);
    // This response follows those to all the closes.
    await this.#client.open({ id: 1, packetBytes: 0 });
    for (const id of this.#ids.values()) demand(this.#client.closes.get(id) === 1, `one CLOSE of channel ${id}`);
    demand(this.#entries() === 0, 'an empty table');
    const free: number[] = [];
    const takeAll = async (): Promise<boolean> => {
      const answer = await this.#client.open({ id: 100 + free.length });
      if ('remoteId' in answer) free.push(answer.remoteId);
      return free.length === channelLimit;
    };
    await waitFor(takeAll, { what: 'all places to be free' });
    demand('reason' in (await this.#client.open({ id: 200 })), 'no eleventh channel');
    demand(this.#entries() === channelLimit, 'the open channels in the table');
    for (const remoteId of free) this.#client.sendClose(remoteId);
    await this.#client.open({ id: 1, packetBytes: 0 });
    demand(this.#entries() === 0, 'an empty table');
  }
}

function demand(isMet: boolean, what: string): void {
  if (!isMet) throw new Error(`expected ${what}`);
}
