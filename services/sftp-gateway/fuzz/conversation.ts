import { setTimeout } from 'node:timers/promises';
import { encodeRequest } from '@waybill/sftp-protocol/requests/encode-request';
import type { SftpRequest } from '@waybill/sftp-protocol/requests/sftp-request';
import type { SftpResponse } from '@waybill/sftp-protocol/responses/sftp-response';
import type { RawSftpClient } from '../tests/raw-sftp-client.ts';

/** A request whose handles are still numbers: indexes of those that the server has returned so far. */
export type Message =
  | { readonly kind: 'request'; of(handle: (index: number) => Buffer, id: number): SftpRequest }
  /** A packet whose body is truncated but still has its id. */
  | { readonly kind: 'cut'; readonly packetType: number; readonly body: Buffer };

/** The valid responses to a request (draft-ietf-secsh-filexfer-02, section 7), besides STATUS. */
const answerOf: Partial<Record<SftpRequest['type'], SftpResponse['type']>> = {
  open: 'handle',
  opendir: 'handle',
  read: 'data',
  readdir: 'name',
  realpath: 'name',
  'expand-path': 'name',
  'home-directory': 'name',
  stat: 'attrs',
  lstat: 'attrs',
  fstat: 'attrs',
  limits: 'extended-reply',
  statvfs: 'extended-reply',
  fstatvfs: 'extended-reply',
  'check-file-name': 'extended-reply',
  'check-file-handle': 'extended-reply',
};

/** The limit for 25 messages on the slowest machine. */
const answerMilliseconds = 120_000;

/** Sends messages to one channel without waiting between them, and checks that each has exactly one valid response. */
export class Conversation {
  /** The number of responses of each type. */
  readonly answered = new Map<SftpResponse['type'], number>();
  readonly #client: RawSftpClient;
  readonly #handles: Buffer[] = [Buffer.from('never given out')];
  #nextId = 1;

  constructor(client: RawSftpClient) {
    this.#client = client;
  }

  /** @throws Error if a response is missing, duplicated, of the wrong type, or reports a bug */
  async exchange(messages: readonly Message[]): Promise<void> {
    const expected = new Map<number, SftpRequest['type'] | 'cut'>();
    const packets = messages.map((message) => {
      const id = this.#nextId;
      this.#nextId = (this.#nextId % 0xffff_ffff) + 1;
      if (message.kind === 'cut') {
        expected.set(id, 'cut');
        return packetOf(message.packetType, id, message.body);
      }
      const request = message.of((index) => this.#handles[index % this.#handles.length] ?? Buffer.alloc(0), id);
      expected.set(id, request.type);
      return encodeRequest(request);
    });
    this.#client.sendBytes(Buffer.concat(packets));
    // One for all answers: what it takes to set it up and to end it would be felt for each of them.
    const ended = new AbortController();
    const late = setTimeout(answerMilliseconds, 'late', { signal: ended.signal }).catch(() => undefined);
    const silence = Promise.race([late, this.#client.closed.then(() => 'closed')]);
    try {
      for (const _ of packets) this.#judge(await this.#nextAnswer(silence, { messages, expected }), expected);
    } finally {
      ended.abort();
    }
  }

  /** @throws Error that names the unanswered requests, instead of a wait that only the test's timeout ends */
  async #nextAnswer(
    silence: Promise<string | undefined>,
    {
      messages,
      expected,
    }: { messages: readonly Message[]; expected: ReadonlyMap<number, SftpRequest['type'] | 'cut'> },
  ): Promise<SftpResponse> {
    const answer = await Promise.race([this.#client.receive(), silence]);
    if (typeof answer === 'object') return answer;
    const missing = [...expected].map(([id, type]) => `${id} ${type}`).join(', ');
    const sent = messages.map((message) =>
      message.kind === 'cut' ? message : message.of((index) => Buffer.from(`handle ${index}`), 0),
    );
    throw new Error(`the channel is ${answer ?? 'closed'}, without responses to ${missing} of ${JSON.stringify(sent)}`);
  }

  #judge(response: SftpResponse, expected: Map<number, SftpRequest['type'] | 'cut'>): void {
    const id = 'id' in response ? response.id : undefined;
    const asked = id === undefined ? undefined : expected.get(id);
    if (id === undefined || asked === undefined) throw new Error(`unexpected response ${JSON.stringify(response)}`);
    expected.delete(id);
    this.answered.set(response.type, (this.answered.get(response.type) ?? 0) + 1);
    if (response.type === 'status') {
      if (/our side/u.test(response.message)) throw new Error(`${asked} failed with: ${response.message}`);
    } else if (asked === 'cut' || response.type !== answerOf[asked]) {
      throw new Error(`${asked} was answered with ${response.type}`);
    }
    if (response.type === 'handle') this.#handles.push(Buffer.from(response.handle));
  }
}

function packetOf(type: number, id: number, body: Buffer): Buffer {
  const packet = Buffer.alloc(9 + body.length);
  packet.writeUInt32BE(5 + body.length, 0);
  packet.writeUInt8(type, 4);
  packet.writeUInt32BE(id, 5);
  body.copy(packet, 9);
  return packet;
}
