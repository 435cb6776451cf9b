import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { edgeTimeouts, startEdge } from '../src/edge/start-edge.ts';

const noService = 9;

/** Sends a text, then nothing more, and resolves with the whole response once the edge has closed the connection. */
async function untilClosed(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let reply = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (reply += chunk));
  // A reset is an end as well.
  socket.on('error', () => {});
  if (text !== '') socket.write(text);
  await once(socket, 'close');
  return reply;
}

const noServices = { 'http-files': noService, audit: noService, 'job-manager': noService, 'sftp-gateway': noService };

it('the local edge has the limits that docs/running.md and the changelog state', async () => {
  expect(edgeTimeouts).toEqual({ headersTimeoutMs: 15_000, keepAliveTimeoutMs: 60_000 });
  const proseOf = (path: string) =>
    readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8').replaceAll(/\s+/gu, ' ');
  expect(proseOf('docs/running.md')).toContain('headers of a request are not complete after 15 seconds');
  expect(proseOf('docs/running.md')).toContain('a connection stays open for 60 seconds without a request');
  expect(proseOf('CHANGELOG.md')).toContain('408 to headers that are not complete after 15 seconds');
  await using edge = await startEdge({ port: 0, servicePorts: noServices });
  const socket = connect(edge.port, '127.0.0.1').setEncoding('latin1');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(String(await once(socket, 'data'))).toMatch(/^keep-alive: timeout=60\r$/imu);
  socket.destroy();
});

describe('the local edge limits the time of', () => {
  let service: Server;
  let edge: Awaited<ReturnType<typeof startEdge>>;

  beforeEach(async () => {
    service = createServer((_, res) => res.end('answer'));
    service.listen(0, '127.0.0.1');
    await once(service, 'listening');
    const address = service.address();
    const files = typeof address === 'object' && address !== null ? address.port : noService;
    edge = await startEdge({
      port: 0,
      servicePorts: { ...noServices, 'http-files': files },
      headersTimeoutMs: 300,
      keepAliveTimeoutMs: 300,
    });
  });
  afterEach(async () => {
    await edge[Symbol.asyncDispose]();
    service.closeAllConnections();
    service.close();
  });

  it.each([
    ['a connection without a request', ''],
    ['half a request line', 'GET /2.0/fi'],
    ['headers that do not end', 'GET /2.0/files/a HTTP/1.1\r\nHost: a\r\nX-Slow: 1\r\n'],
  ])('%s, with status 408', async (_what, text) => {
    expect(await untilClosed(edge.port, text)).toMatch(/^HTTP\/1\.1 408 /u);
  });

  it('headers that arrive byte by byte', async () => {
    const socket = connect(edge.port, '127.0.0.1');
    socket.on('error', () => {}).resume();
    const drip = setInterval(() => socket.write('a'), 20);
    socket.write('GET /2.0/files/a HTTP/1.1\r\nHost: a\r\nX-Slow: ');
    await once(socket, 'close');
    clearInterval(drip);
    expect(socket.destroyed).toBe(true);
  });

  it('an idle connection after an answer', async () => {
    const reply = await untilClosed(edge.port, 'GET /2.0/files/a HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(reply).toMatch(/^HTTP\/1\.1 200 /u);
    expect(reply).toContain('answer');
  });
});
