import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

async function connectRaw(text: string): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

/** Sends a text repeatedly until the server disconnects, or the time is over. Returns true if it was disconnected. */
async function isCutOff(socket: Socket, { every, text, forMs }: { every: number; text: string; forMs: number }) {
  socket.resume();
  for (const endsAt = Date.now() + forMs; Date.now() < endsAt && !socket.closed;) {
    socket.write(text);
    await delay(every);
  }
  const { closed } = socket;
  socket.destroy();
  return closed;
}

const bodyOf = (bytes: number) =>
  `PUT /count HTTP/1.1\r\nHost: a\r\nContent-Type: a/b\r\nContent-Length: ${bytes}\r\n\r\n`;

describe('a client is disconnected', () => {
  test.each([
    ['that says nothing at all', '', { every: 100, text: '', forMs: 10_000 }],
    ['that never ends its headers', 'GET /tree HTTP/1.1\r\n', { every: 100, text: 'X: y\r\n', forMs: 10_000 }],
    ['that stops in the middle of its body', bodyOf(30), { every: 100, text: '', forMs: 10_000 }],
    ['that sends its body byte by byte', bodyOf(9_999), { every: 100, text: 'x', forMs: 10_000 }],
    [
      'that sends single bytes of chunks',
      'PUT /count HTTP/1.1\r\nHost: a\r\nContent-Type: a/b\r\nTransfer-Encoding: chunked\r\n\r\n',
      { every: 200, text: '1\r\nx\r\n', forMs: 10_000 },
    ],
  ])('%s', async (_what, head, dribble) => {
    expect(await isCutOff(await connectRaw(head), dribble)).toBe(true);
  });

  test('that reads nothing of what it asked for', async () => {
    const socket = await connectRaw('GET /flood HTTP/1.1\r\nHost: a\r\n\r\n');
    socket.pause();
    // Only the log shows it: a socket that is not read does not notice its end.
    await expect.poll(() => server.logLines.find((line) => line.includes('"/flood"'))).toContain('"complete":false');
    socket.destroy();
  });
});

describe('a client that is slow is served', () => {
  test('when it sends its body steadily, for many times the timeout', async () => {
    const parts = 16;
    const socket = await connectRaw(bodyOf(parts * 700));
    const answer = once(socket, 'data');
    for (let part = 0; part < parts; part += 1) {
      socket.write('x'.repeat(700));
      await delay(250);
    }
    expect(String(await answer)).toMatch(/^HTTP\/1\.1 200 [\s\S]*"size":11200/u);
    socket.destroy();
  });

  test('when it reads an answer in bits, for many times the timeout', async () => {
    const socket = await connectRaw('GET /flood HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    let received = 0;
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length;
      socket.pause();
    });
    const ended = once(socket, 'close');
    const reading = setInterval(() => socket.resume(), 2);
    await ended;
    clearInterval(reading);
    expect(received).toBeGreaterThan(64 * 1024 * 1024);
  });
});
