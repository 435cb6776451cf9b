import { PassThrough, Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { bodyChunks } from './body-chunks.ts';

const chunk = (fill: string, size = 10): Buffer => Buffer.alloc(size, fill);

async function collect(chunks: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const one of chunks) text += one.toString();
  return text;
}

test('all chunks arrive in order, whether they are buffered or arrive later', async () => {
  const body = new PassThrough();
  body.write('a');
  const reading = collect(bodyChunks(body));
  for (const text of ['b', 'c', 'd']) {
    await setImmediate();
    body.write(text);
  }
  body.end('e');
  expect(await reading).toBe('abcde');
});

test('an empty body has no chunks', async () => {
  expect(await collect(bodyChunks(Readable.from([])))).toBe('');
});

test('a sender waits while the reader does not read', async () => {
  let sent = 0;
  const body = new Readable({
    highWaterMark: 1,
    read() {
      sent += 1;
      this.push(sent <= 100 ? chunk('x', 64 * 1024) : null);
    },
  });
  const chunks = bodyChunks(body);
  await chunks.next();
  for (let turn = 0; turn < 100; turn += 1) await setImmediate();
  expect(sent).toBeLessThan(10);
  let size = 64 * 1024;
  for await (const { length } of chunks) size += length;
  expect(size).toBe(100 * 64 * 1024);
});

test('the chunks before a failure arrive, then the failure', async () => {
  const body = new PassThrough();
  const failure = new Error('reset by peer');
  const chunks = bodyChunks(body);
  body.write('a');
  expect(await chunks.next()).toMatchObject({ value: Buffer.from('a') });
  body.write('b');
  await setImmediate();
  body.destroy(failure);
  await setImmediate();
  expect(await chunks.next()).toMatchObject({ value: Buffer.from('b') });
  await expect(chunks.next()).rejects.toBe(failure);
});

test('a body that ends prematurely is a failure, even if it was closed before the first read', async () => {
  const body = new PassThrough();
  const reading = collect(bodyChunks(body));
  body.write('a');
  await setImmediate();
  body.destroy();
  await expect(reading).rejects.toThrow('Premature close');
  await expect(collect(bodyChunks(body))).rejects.toThrow('Premature close');
});

test('a reader that stops leaves the body open, with the remaining bytes in it', async () => {
  const body = new PassThrough();
  const chunks = bodyChunks(body);
  body.write('a');
  await chunks.next();
  await chunks.return(undefined);
  body.end('b');
  await setImmediate();
  expect(body.destroyed).toBe(false);
  expect(body.listenerCount('data')).toBe(0);
  expect(body.read()).toEqual(Buffer.from('b'));
});
