import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { existing } from '@waybill/test-kit/values/existing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseSubmission } from '../src/submission.ts';
import { openWitnessState } from '../src/witness-state.ts';
import { startTestWitness } from './running-witness.ts';
import { bodyOf, createTestLog } from './test-log.ts';

const log = createTestLog('example.org/log');
log.grow(9);
let witness: Awaited<ReturnType<typeof startTestWitness>>;
beforeAll(async () => {
  witness = await startTestWitness([log], { timeoutMs: 1_500 });
});
afterAll(() => witness[Symbol.asyncDispose]());

const good = log.submission(0, 5);
const hashLine = `${existing(log.prove(3, 5)[0]).toString('base64')}\n`;

describe('a body of another form is refused with 400:', () => {
  const bodies: readonly (readonly [what: string, body: string])[] = [
    ['no bytes', ''],
    ['no old size', good.slice(good.indexOf('\n'))],
    ['an old size with a leading zero', good.replace('old 0', 'old 00')],
    ['a negative old size', good.replace('old 0', 'old -1')],
    ['an old size with two blanks', good.replace('old 0', 'old  0')],
    ['an old size that is no safe integer', good.replace('old 0', 'old 9007199254740993')],
    ['a carriage return', good.replaceAll('\n', '\r\n')],
    ['no blank line', good.replace('\n\n', '\n')],
    ['no newline at the end', good.slice(0, -1)],
    ['something after the end', `${good}\n`],
    ['a hash of 31 bytes', good.replace('\n', `\n${Buffer.alloc(31).toString('base64')}\n`)],
    ['a hash with other bits after its end', good.replace('\n', `\n${'A'.repeat(42)}B=\n`)],
    ['64 proof lines', good.replace('\n', `\n${hashLine.repeat(64)}`)],
    ['a size with a leading zero', good.replace('\n5\n', '\n05\n')],
    ['a root that is not Base64', bodyOf(0, [], log.signText('example.org/log\n5\n!\n'))],
    ['no signature', bodyOf(0, [], `${log.textOf(5)}\n`)],
    ['a hyphen before the signature', good.replace('—', '-')],
    ['a signature that is not Base64', good.replace(/ [^ ]+\n$/u, ' ????\n')],
    ['a signature of 4 bytes', good.replace(/ [^ ]+\n$/u, ' AAAAAA==\n')],
    ['65 signatures', good + existing(good.split('\n').at(-2)).concat('\n').repeat(64)],
    ['a control character', good.replace('example', 'ex\0mple')],
  ];
  it.each(bodies)('%s', async (_what, body) => {
    expect((await witness.add(body)).status).toBe(400);
  });

  it('bytes that are not UTF-8', async () => {
    const bytes = new Uint8Array(Buffer.from(good));
    bytes[bytes.length - 2] = 0xff;
    expect((await witness.add(bytes)).status).toBe(400);
  });

  it('any other bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(parseSubmission(Buffer.from(bytes))).toBeUndefined();
      }),
    );
  });

  it('the good body with one other byte, unless it is still well-formed', () => {
    const bytes = Buffer.from(good);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, value) => {
        const changed = Buffer.from(bytes);
        changed[at] = value;
        const parsed = parseSubmission(changed);
        // What is read is exactly what was sent.
        const read = parsed && bodyOf(parsed.oldSize, parsed.proof, noteOf(parsed.checkpoint));
        expect([undefined, changed.toString()]).toContain(read);
      }),
    );
  });
});

function noteOf({ text, signatures }: { text: string; signatures: readonly { line: string }[] }): string {
  return `${text}\n${signatures.map(({ line }) => `${line}\n`).join('')}`;
}

describe('a hostile client', () => {
  it('that sends too much gets 413, with and without a length', async () => {
    const tooMuch = 'x'.repeat(200_000);
    expect((await witness.add(tooMuch)).status).toBe(413);
    const stream = new Blob([tooMuch]).stream();
    expect((await witness.client.post('/add-checkpoint', { body: stream })).status).toBe(413);
  });

  it('that uses other methods and paths changes nothing', async () => {
    expect((await witness.client.get('/add-checkpoint')).status).toBe(405);
    expect((await witness.client.put('/add-checkpoint', { body: good })).status).toBe(405);
    expect((await witness.client.post(`/${log.originHash}/checkpoint`, { body: good })).status).toBe(405);
    for (const path of ['/', '/add-checkpoint/', '//add-checkpoint', '/../add-checkpoint', '/__proto__/checkpoint'])
      expect((await witness.client.post(path, { body: good })).status).toBe(path.includes('..') ? 200 : 404);
  });

  it('that falls silent in its headers or its body is disconnected', async () => {
    for (const start of ['POST /add-checkpoint HTTP/1.1\r\nHost: x\r\n', silentBody]) {
      const socket = connect(witness.port, '127.0.0.1');
      socket.write(start);
      socket.resume();
      await once(socket, 'close');
    }
    expect((await witness.client.get('/nothing')).status).toBe(404);
  });

  it('that opens many silent requests does not stop others', async () => {
    const sockets = Array.from({ length: 100 }, () => connect(witness.port, '127.0.0.1'));
    for (const socket of sockets) socket.on('error', () => {}).write(silentBody);
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    await expect.poll(async () => (await witness.add(log.submission(4, 3))).status).toBe(400);
    for (const socket of sockets) socket.destroy();
  });
});

const silentBody = `POST /add-checkpoint HTTP/1.1\r\nHost: x\r\nContent-Length: ${good.length}\r\n\r\nold `;

it.each(['', '{', '{"process":"x"}', 'null', '[]'])('a state file that reads %j stops the start', async (text) => {
  await using other = await startTestWitness([log]);
  await writeFile(other.stateFile, text);
  await expect(openWitnessState(other.stateFile)).rejects.toThrow('is not the state of a witness: restore the file');
});
