import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startEdge } from '../src/edge/start-edge.ts';

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
      servicePorts: { 'http-files': files, audit: noService, 'job-manager': noService, 'sftp-gateway': noService },
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
