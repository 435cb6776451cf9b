import { openFlag } from '@waybill/sftp-protocol/open-flag';
import type { SftpRequest } from '@waybill/sftp-protocol/sftp-request';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGatewayRig, type GatewayRig, type RunningGateway } from '../tests/gateway-rig.ts';
import { connectRawSftp, type RawSftpClient } from '../tests/raw-sftp-client.ts';
import { FileModel } from './file-model.ts';
import { fileNames, firstSteps, sequence, type Expected, type OpenMode, type Step } from './file-steps.ts';

/** All of them take minutes: `SEQUENCES=20000` for a change of what is open. */
const sequences = Number(process.env['SEQUENCES'] ?? 2_000);
const pairs = 4;

let rig: GatewayRig;
let gateway: RunningGateway;

beforeAll(async () => {
  rig = await createGatewayRig({ users: [{ name: 'colleague', password: 'colleague-demo' }] });
  gateway = await rig.start('peer1');
});
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  await rig?.[Symbol.asyncDispose]();
});

const { read, write, create, truncate, exclusive, append } = openFlag;
const flagsOf: Readonly<Record<OpenMode, number>> = {
  r: read,
  rc: read | create,
  'r+': read | write,
  w: write | create | truncate,
  a: write | create | append,
  x: write | create | exclusive,
};

/** Sends the requests of a sequence, in a folder of its own. */
class Players {
  readonly #clients: readonly RawSftpClient[];
  readonly #folder: string;
  readonly #handles: (Buffer | undefined)[] = [];

  constructor(clients: readonly RawSftpClient[], folder: string) {
    this.#clients = clients;
    this.#folder = folder;
  }

  async play(step: Step): Promise<Expected> {
    const client = this.#clients[step.session];
    if (client === undefined) throw new Error('there are two sessions');
    const answer = await client.ask(this.#requestOf(step));
    if (step.kind === 'open' && answer.type === 'handle') this.#handles.push(Buffer.from(answer.handle));
    if (answer.type === 'status') return answer.code;
    if (answer.type === 'data') return `text ${answer.data.toString('latin1')}`;
    if (answer.type === 'attrs') return `size ${answer.attributes.size}`;
    return answer.type;
  }

  at(name: string): Buffer {
    return Buffer.from(name === '' ? this.#folder : `${this.#folder}/${name}`);
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
        return { type: 'close', id: 1, handle };
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

/** Everything that is open is closed at the end, in the order of its opening. */
function closingSteps(opened: readonly number[]): Step[] {
  return opened.map((session, handle) => ({ kind: 'close', session, handle }));
}

test(`${sequences} sequences of two sessions over few names are answered as the rules for open files say`, async () => {
  let folders = 0;
  let steps = 0;
  const answersFit = (clients: readonly RawSftpClient[]) =>
    fc.asyncProperty(sequence, async (random) => {
      folders += 1;
      const players = new Players(clients, `/data/${folders}`);
      await clients[0]?.ask({ type: 'mkdir', id: 1, path: players.at(''), attributes: {} });
      const model = new FileModel();
      const opened: number[] = [];
      const said: { step: Step; answer: Expected }[] = [];
      const expected: typeof said = [];
      const play = async (step: Step): Promise<void> => {
        if (!model.covers(step)) return;
        steps += 1;
        const answer = await players.play(step);
        if (answer === 'handle') opened.push(step.session);
        said.push({ step, answer });
        expected.push({ step, answer: model.apply(step) });
      };
      for (const step of [...firstSteps, ...random]) {
        await play(step);
        expect(said).toEqual(expected);
      }
      for (const step of closingSteps(opened)) await play(step);
      expect(said).toEqual(expected);
      for (const path of fileNames) await play({ kind: 'stat', session: 1, path });
      expect(said).toEqual(expected);
    });
  const run = async (): Promise<void> => {
    await using one = await connectRawSftp({ port: gateway.sftpPort, user: 'globex' });
    await using other = await connectRawSftp({ port: gateway.sftpPort, user: 'colleague' });
    await fc.assert(answersFit([one, other]), { numRuns: Math.ceil(sequences / pairs) });
  };
  await Promise.all(Array.from({ length: pairs }, run));
  expect(steps).toBeGreaterThan(sequences * 8);
  expect(await rig.database.query('select from filebox.uploads')).toEqual([]);
});
