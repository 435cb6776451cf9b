import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError } from '@waybill/contracts/coded-error';
import { defineEndpoint } from '@waybill/contracts/endpoint';
import { createHealth } from '@waybill/service-kit/health';
import { createLogger } from '@waybill/service-kit/logger';
import { createMetrics } from '@waybill/service-kit/metrics';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { bindEndpoint } from '../src/bind-endpoint.ts';
import type { BodyMemory } from '../src/body-memory.ts';
import { createHttpServer } from '../src/create-http-server.ts';

const blockBytes = 64 * 1024;
const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

const digest = defineEndpoint({
  id: 'digest',
  tag: 'test',
  method: 'PUT',
  path: '/digest',
  summary: 'Answers the SHA-256 of what it is sent',
  authentication: { kind: 'none' },
  body: { kind: 'stream', mediaTypes: ['*/*'] },
  responses: { 200: { description: 'done', body: { kind: 'json', schema: z.record(z.string(), z.unknown()) } } },
  errors: [],
});

/** Blocks that are free when their reader says so. */
function createMemory(): BodyMemory & { free(chunk: Uint8Array): void } {
  const used = new Map<number, PromiseWithResolvers<void>>();
  const owners = new Map<Uint8Array, number>();
  const blocks = Array.from({ length: 3 }, () => Buffer.alloc(blockBytes));
  return {
    blocks,
    lend: (index, bytes) => {
      const chunk = blocks[index]?.subarray(0, bytes) ?? Buffer.alloc(0);
      used.set(index, Promise.withResolvers());
      owners.set(chunk, index);
      return chunk;
    },
    whenFree: (index) => used.get(index)?.promise,
    free: (chunk) => {
      const index = owners.get(chunk) ?? -1;
      used.get(index)?.resolve();
      used.delete(index);
    },
  };
}

/** A server whose reader does as it is told with each chunk before it lets go of it. */
async function startServer(onChunk: (size: number) => Promise<void> | void = () => {}) {
  const heard: { chunks: number; failure: unknown; refused: boolean } = {
    chunks: 0,
    failure: undefined,
    refused: false,
  };
  const route = bindEndpoint(digest, async ({ openBlocks }) => {
    const memory = createMemory();
    const content = openBlocks(memory);
    heard.refused = content === undefined;
    const hash = createHash('sha256');
    let size = 0;
    try {
      for await (const chunk of content ?? []) {
        await onChunk((size += chunk.length));
        hash.update(chunk);
        heard.chunks += 1;
        memory.free(chunk);
      }
    } catch (error) {
      heard.failure = error;
      throw error;
    }
    return { status: 200, body: { size, sha256: hash.digest('hex') } };
  });
  const server = createHttpServer({
    routes: [route],
    health: createHealth(),
    metrics: createMetrics('test'),
    logger: createLogger({ service: 'test', level: 'silent', destination: { write: () => {} } }),
    trustedProxies: [],
    stallTimeoutMs: 1_000,
    drainTimeoutMs: 100,
  });
  const { port } = await server.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { port, heard };
}

function openClient(port: number) {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.setEncoding('latin1').on('data', (part: string) => (text += part));
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
  socket.on('error', () => {});
  return { socket, closed, text: () => text };
}

const headers = (length: number, more = ''): string =>
  `PUT /digest HTTP/1.1\r\nHost: h\r\nContent-Type: a/b\r\nContent-Length: ${length}\r\n${more}\r\n`;

async function send(socket: Socket, content: Uint8Array): Promise<void> {
  if (!socket.write(content)) await once(socket, 'drain');
}

test.each([
  ['one byte', 1],
  ['exactly the memory', 3 * blockBytes],
  ['many times the memory', 200 * blockBytes + 7],
])('%s comes whole and in order, and the connection ends with the answer', async (_, length) => {
  const { port } = await startServer();
  const content = randomBytes(length);
  const { socket, closed } = openClient(port);
  await send(socket, Buffer.from(headers(length)));
  await send(socket, content);
  const answer = await closed;
  expect(answer).toContain('HTTP/1.1 200');
  expect(answer.toLowerCase()).toContain('connection: close');
  expect(answer).toContain(`{"size":${length},"sha256":"${sha256(content)}"}`);
});

test('what comes in one go with the headers is part of it', async () => {
  const { port } = await startServer();
  const content = randomBytes(5 * blockBytes);
  const { socket, closed } = openClient(port);
  const first = Buffer.concat([Buffer.from(headers(content.length)), content.subarray(0, 10_001)]);
  await send(socket, first);
  await sleep(50);
  await send(socket, content.subarray(10_001));
  expect(await closed).toContain(sha256(content));
});

test('a reader that is slower than the client loses nothing, and makes the client wait', async () => {
  const { port, heard } = await startServer(() => sleep(2));
  const content = randomBytes(300 * blockBytes);
  const { socket, closed } = openClient(port);
  socket.write(headers(content.length));
  await send(socket, content);
  expect(await closed).toContain(sha256(content));
  expect(heard.chunks).toBeGreaterThanOrEqual(300);
});

test('a client that asks first is told to send', async () => {
  const { port } = await startServer();
  const content = randomBytes(2 * blockBytes);
  const { socket, closed, text } = openClient(port);
  socket.write(headers(content.length, 'Expect: 100-continue\r\n'));
  while (!text().includes('100 Continue')) await once(socket, 'data');
  await send(socket, content);
  expect(await closed).toContain(sha256(content));
});

test('a client that leaves in the middle is no end of the body', async () => {
  const { port, heard } = await startServer();
  const { socket, closed } = openClient(port);
  await send(socket, Buffer.from(headers(10 * blockBytes)));
  await send(socket, randomBytes(3 * blockBytes));
  socket.end();
  expect(await closed).not.toContain('200');
  await expect.poll(() => heard.failure).toBeInstanceOf(Error);
});

test('a client that is refused in the middle reads why', async () => {
  const { port } = await startServer((size) => {
    if (size > blockBytes) throw new CodedError('storage_full');
  });
  const { socket, closed, text } = openClient(port);
  socket.write(headers(100 * blockBytes));
  void send(socket, randomBytes(99 * blockBytes));
  while (!text().includes('\r\n\r\n')) await once(socket, 'data');
  expect(text()).toContain('HTTP/1.1 507');
  socket.write(randomBytes(blockBytes));
  await closed;
});

test('a client that stalls is cut off; one that has to wait for us is not', async () => {
  const stalled = openClient((await startServer()).port);
  stalled.socket.write(headers(10 * blockBytes));
  await send(stalled.socket, randomBytes(2 * blockBytes));
  expect(await stalled.closed).toBe('');

  const { port } = await startServer((size) => (size === blockBytes ? sleep(2_500) : undefined));
  const content = randomBytes(200 * blockBytes);
  const waiting = openClient(port);
  waiting.socket.write(headers(content.length));
  await send(waiting.socket, content);
  expect(await waiting.closed).toContain(sha256(content));
});

test('a body of unknown length is to be read in another way', async () => {
  const { port, heard } = await startServer();
  const { socket, closed } = openClient(port);
  socket.write(
    'PUT /digest HTTP/1.1\r\nHost: h\r\nContent-Type: a/b\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  );
  expect(await closed).toContain('"size":0');
  expect(heard.refused).toBe(true);
});
