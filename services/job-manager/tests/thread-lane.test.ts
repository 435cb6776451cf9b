import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openThreadLane, type ThreadLane } from '../src/worker/lanes/thread-lane.ts';

let lane: ThreadLane;
beforeEach(() => {
  lane = openThreadLane();
});
afterEach(() => lane[Symbol.asyncDispose]());

const testProgram = new URL('test-computation.ts', import.meta.url);
const checksum = new URL('../src/tasks/files/checksum-computation.ts', import.meta.url);
const never = new AbortController().signal;

const run = (does: string, input: Readable = Readable.from([Buffer.from('abc')]), signal = never) =>
  lane.compute({ program: testProgram, parameters: { does }, input }, signal);

describe('a computing thread', () => {
  it.each(['sha256', 'sha512', 'sha1', 'md5', 'crc32'])('computes %s as the main thread does', async (algorithm) => {
    const chunks = Array.from({ length: 20 }, (_, index) => randomBytes(index * 10_007));
    const bytes = Buffer.concat(chunks);
    const expected =
      algorithm === 'crc32'
        ? crc32(bytes).toString(16).padStart(8, '0')
        : createHash(algorithm).update(bytes).digest('hex');
    const order = { program: checksum, parameters: { algorithm }, input: Readable.from(chunks) };
    expect(await lane.compute(order, never)).toEqual({ checksum: expected });
  });

  it('works on an empty input, and on many orders at once', async () => {
    expect(await run('count', Readable.from([]))).toEqual({ bytes: '0' });
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, length) => run('count', Readable.from([Buffer.alloc(length + 1)]))),
    );
    expect(results.map(({ bytes }) => bytes)).toEqual(Array.from({ length: 20 }, (_, length) => String(length + 1)));
  });

  it('leaves the bytes that it is given as they are', async () => {
    const chunk = Buffer.from('abc');
    await run('count', Readable.from([chunk]));
    expect(chunk.toString()).toBe('abc');
  });

  it('sees nothing of the environment', async () => {
    expect(await run('see the environment')).toEqual({ bytes: '3' });
  });

  it('takes 1 GiB with a small part of it in memory', async () => {
    const size = 1024 * 1024 * 1024;
    const chunkSize = 64 * 1024;
    // One for all: only what the lane makes of them is measured.
    const chunk = Buffer.alloc(chunkSize, 1);
    const before = process.memoryUsage().arrayBuffers;
    let read = 0;
    let most = 0;
    const input = new Readable({
      highWaterMark: chunkSize,
      read() {
        read += chunkSize;
        most = Math.max(most, process.memoryUsage().arrayBuffers - before);
        this.push(read > size ? null : chunk);
      },
    });
    expect(await run('count', input)).toEqual({ bytes: String(size) });
    // What the collector of two threads has not collected yet; it does not grow with the size.
    expect(most).toBeLessThan(size / 4);
  });
});

describe('a computation that', () => {
  it('computes endlessly ends with the abort, while this thread stays responsive', async () => {
    const controller = new AbortController();
    const ended = run('compute endlessly', Readable.from([Buffer.from('a')]), controller.signal);
    ended.catch(() => {});
    for (let turn = 0; turn < 1_000; turn += 1) await nextTurn();
    controller.abort(new Error('enough'));
    await expect(ended).rejects.toThrow('enough');
    expect(await run('count')).toEqual({ bytes: '3' });
  });

  it('does not take its bytes stops the reading, and the abort ends that, too', async () => {
    const controller = new AbortController();
    let read = 0;
    const input = new Readable({
      read() {
        read += 1;
        this.push(Buffer.alloc(1024 * 1024));
      },
    });
    const ended = run('compute endlessly', input, controller.signal);
    ended.catch(() => {});
    await waitFor(() => read >= 2, { what: 'the window to be full' });
    for (let turn = 0; turn < 1_000; turn += 1) await nextTurn();
    expect(read).toBeLessThan(12);
    controller.abort(new Error('enough'));
    await expect(ended).rejects.toThrow('enough');
    expect(input.destroyed).toBe(true);
  });

  it.each([
    ['throw', 'the computation failed: the third byte is wrong'],
    ['break its thread', 'the computation failed: its thread died: the thread breaks'],
    ['fill the memory', 'the computation failed: its thread died: Worker terminated due to reaching memory limit'],
    ['be absent', 'the computation failed: there is no computation that does be absent'],
  ])('has to %s fails alone, with a message that says so', async (does, message) => {
    const input = new Readable({ read: () => {} });
    input.push(Buffer.from('abc'));
    const others = Array.from({ length: 5 }, () => run('count', Readable.from([Buffer.alloc(500_000)])));
    await expect(run(does, input)).rejects.toThrow(message);
    expect(input.destroyed).toBe(true);
    expect((await Promise.all(others)).map(({ bytes }) => bytes)).toEqual(Array.from({ length: 5 }, () => '500000'));
    expect(await run('count')).toEqual({ bytes: '3' });
  });

  it('fails after its input was read to the end raises no error outside', async () => {
    const input = new Readable({ autoDestroy: false, read: () => {} });
    input.push(Buffer.from('abc'));
    input.push(null);
    await expect(run('break its thread', input)).rejects.toThrow('the thread breaks');
    expect(input.destroyed).toBe(true);
    // An error without a listener would end the process.
    expect(input.listenerCount('error')).toBeGreaterThan(0);
  });

  it('breaks its thread after its result costs no later order more than one attempt', async () => {
    await Promise.all(Array.from({ length: 4 }, () => run('break its thread later').catch(() => {})));
    expect(await waitFor(() => run('count'), { what: 'a living thread' })).toEqual({ bytes: '3' });
  });

  it('has an input that fails rejects with the failure', async () => {
    const input = new Readable({ read: () => {} });
    const ended = run('count', input);
    input.destroy(new Error('the file is damaged'));
    await expect(ended).rejects.toThrow('the file is damaged');
    expect(await run('count')).toEqual({ bytes: '3' });
  });

  it('was aborted before its turn begins nothing', async () => {
    const input = Readable.from([Buffer.from('a')]);
    await expect(run('count', input, AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
  });
});
