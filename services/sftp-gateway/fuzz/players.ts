import type { SftpRequest } from '@waybill/sftp-protocol/requests/sftp-request';
import type { SftpResponse } from '@waybill/sftp-protocol/responses/sftp-response';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import type { Expected, OpenMode, Step } from './file-steps.ts';

/** A session with a server of any implementation. */
export interface Player {
  ask(request: SftpRequest): Promise<SftpResponse>;
}

const { read, write, create, truncate, exclusive, append } = openFlag;
const flagsOf: Readonly<Record<OpenMode, number>> = {
  r: read,
  rc: read | create,
  'r+': read | write,
  w: write | create | truncate,
  a: write | create | append,
  x: write | create | exclusive,
};

/** Sends the requests of a sequence, in a separate folder. */
export class Players {
  readonly #players: readonly Player[];
  readonly #folder: string;
  readonly #handles: (Buffer | undefined)[] = [];

  constructor(players: readonly Player[], folder: string) {
    this.#players = players;
    this.#folder = folder;
  }

  async play(step: Step): Promise<Expected> {
    const answer = await this.#ask(step.session, this.#requestOf(step));
    if (step.kind === 'open' && answer.type === 'handle') this.#handles.push(Buffer.from(answer.handle));
    if (answer.type === 'status') return answer.code;
    if (answer.type === 'data') return `text ${answer.data.toString('latin1')}`;
    if (answer.type === 'attrs') return `size ${answer.attributes.size}`;
    return answer.type;
  }

  /** Closes the last opened handle, which later steps do not count. */
  async closeLatest(session: number): Promise<void> {
    const handle = this.#handles.pop();
    if (handle !== undefined) await this.#ask(session, { type: 'close', id: 1, handle });
  }

  at(name: string): Buffer {
    return Buffer.from(name === '' ? this.#folder : `${this.#folder}/${name}`);
  }

  #ask(session: number, request: SftpRequest): Promise<SftpResponse> {
    const player = this.#players[session];
    if (player === undefined) throw new Error('there are two sessions');
    return player.ask(request);
  }

  #requestOf(step: Step): SftpRequest {
    const handle = 'handle' in step ? (this.#handles[step.handle] ?? Buffer.alloc(16)) : Buffer.alloc(0);
    switch (step.kind) {
      case 'open':
        return { type: 'open', id: 1, path: this.at(step.path), flags: flagsOf[step.mode], attributes: {} };
      case 'write':
        return { type: 'write', id: 1, handle, offset: step.offset, data: Buffer.from(step.text) };
      case 'read':
        return { type: 'read', id: 1, handle, offset: 0, length: 1_000 };
      case 'close':
      case 'fstat':
        return { type: step.kind, id: 1, handle };
      case 'mkdir':
        return { type: 'mkdir', id: 1, path: this.at(step.path), attributes: {} };
      case 'stat':
        return { type: 'lstat', id: 1, path: this.at(step.path) };
      case 'rename':
      case 'posix-rename':
        return { type: step.kind, id: 1, oldPath: this.at(step.from), newPath: this.at(step.to) };
      default:
        return { type: step.kind, id: 1, path: this.at(step.path) };
    }
  }
}

/** Closes everything open, in the order of opening. */
export function closingSteps(opened: readonly number[]): Step[] {
  return opened.map((session, handle) => ({ kind: 'close', session, handle }));
}
