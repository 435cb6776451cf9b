import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startEdge } from '../src/edge/start-edge.ts';

const noService = 9;
let service: Server;
let edge: Awaited<ReturnType<typeof startEdge>>;
let seen: PromiseWithResolvers<IncomingMessage>;
let answer: (req: IncomingMessage, res: ServerResponse) => void;

beforeEach(async () => {
  seen = Promise.withResolvers();
  service = createServer((req, res) => {
    seen.resolve(req);
    answer(req, res);
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const address = service.address();
  const files = typeof address === 'object' && address !== null ? address.port : noService;
  const servicePorts = { 'http-files': files, audit: noService, 'job-manager': noService, 'sftp-gateway': noService };
  edge = await startEdge({ port: 0, servicePorts });
});
afterEach(async () => {
  await edge[Symbol.asyncDispose]();
  service.closeAllConnections();
  service.close();
});

it('lets the service refuse another transfer coding of the body', async () => {
  answer = (_req, res) => res.writeHead(501).end();
  const socket = connect(edge.port, '127.0.0.1').on('error', () => {});
  socket.write('PUT /2.0/files/a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n');
  const { headersDistinct } = await seen.promise;
  socket.destroy();
  expect(headersDistinct['transfer-encoding']).toEqual(['gzip, chunked']);
});

it('passes the service the host of the target rather than that of the header', async () => {
  answer = (_req, res) => res.end();
  const socket = connect(edge.port, '127.0.0.1').on('error', () => {});
  socket.write('GET http://c/2.0/files/a HTTP/1.1\r\nHost: a\r\n\r\n');
  const { headersDistinct, url } = await seen.promise;
  socket.destroy();
  expect(url).toBe('http://c/2.0/files/a');
  expect(headersDistinct['x-forwarded-host']).toEqual(['c']);
});

it('notifies the service of a request before the first byte of its body, and the client that the service has closed the connection', async () => {
  answer = (req) => req.socket.destroy();
  const socket = connect(edge.port, '127.0.0.1').setEncoding('utf8');
  socket.write('PUT /2.0/files/a HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n');
  await seen.promise;
  const [reply] = (await once(socket, 'data')) as [string];
  socket.destroy();
  expect(reply).toMatch(/^HTTP\/1\.1 502 /u);
  expect(reply).toContain('has ended the connection without an answer');
});
