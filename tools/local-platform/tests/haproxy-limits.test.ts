import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect as connectPlain, type Socket, type Server as TcpServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { type ConnectionOptions, connect, getCiphers } from 'node:tls';
import { parseKeyPair } from '@waybill/certificates/key-pair';
import { makeSelfSigned } from '@waybill/certificates/make-self-signed';
import { fileFailureSchema } from '@waybill/contracts/endpoints/files/shapes/file-failure';
import { problemSchema } from '@waybill/contracts/errors/problem';
import { pushCertificate } from '@waybill/deployment/push-certificate';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requestTls } from './request-tls.ts';
import { startHaproxy, type TestHaproxy } from './start-haproxy.ts';
import { startPeer, stopPeer } from './start-peer.ts';
import { startTcpPeer } from './start-tcp-peer.ts';

let peer: Server;
let haproxy: TestHaproxy;

beforeEach(async () => {
  peer = await startPeer();
});
afterEach(async () => {
  stopPeer(peer);
  await haproxy?.[Symbol.asyncDispose]();
});

async function start(env: Record<string, string> = {}, gateways: readonly TcpServer[] = []): Promise<void> {
  haproxy = await startHaproxy([peer, peer], env, gateways);
  const address = `http://127.0.0.1:${haproxy.ports.operations}/health`;
  await waitFor(async () => (await fetch(address)).ok, { what: 'HAProxy to answer' });
}

const ask = () => requestTls(haproxy.ports.partners, '/2.0/files/a');

describe('one source address', () => {
  it('is refused with 429 once it asks too often, and told when to try again', async () => {
    await start({ WAYBILL_REQUEST_RATE: '20' });
    const answers: Awaited<ReturnType<typeof ask>>[] = [];
    for (let count = 0; count < 30; count++) answers.push(await ask());
    expect(answers.slice(0, 20).map(({ status }) => status)).not.toContain(429);
    const refused = answers.at(-1);
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'retry-after': '10', 'content-type': 'application/json' },
    });
    expect(fileFailureSchema.parse(JSON.parse(refused?.text ?? ''))).toMatchObject({
      message: 'Too many requests',
      errorType: 'authentication',
      detail: 'There were too many requests from this address; try again in 10 seconds',
    });
    const administrator = await requestTls(haproxy.ports.administrators, '/job-manager/jobs');
    expect(administrator).toMatchObject({
      status: 429,
      headers: { 'retry-after': '10', 'content-type': 'application/problem+json' },
    });
    expect(problemSchema.parse(JSON.parse(administrator.text))).toMatchObject({
      status: 429,
      code: 'too_many_requests',
      detail: 'There were too many requests from this address; try again in 10 seconds',
    });
  });

  it('learns in the form of the service that the rest of its body is not HTTP', async () => {
    const received = Promise.withResolvers<void>();
    peer.removeAllListeners('request');
    peer.on('request', ({ method }, response) => void (method === 'POST' ? received.resolve() : response.end()));
    await start();
    const socket = await handshake();
    socket.write('POST /2.0/files/a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n');
    await received.promise;
    socket.write('not a length\r\n');
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 .*\r\ncontent-type: application\/json$/imsu);
    expect(fileFailureSchema.parse(JSON.parse(body))).toMatchObject({ errorType: 'request_syntax' });
  });

  it.each(['partners', 'sftp'] as const)(
    'can have this many connections to %s at a time, and no fewer',
    async (side) => {
      const gateway = await startTcpPeer();
      await start({ WAYBILL_CONNECTIONS: '5' }, [gateway.server]);
      const sockets: Socket[] = [];
      const closed = new Set<Socket>();
      for (let count = 0; count < 10; count++) {
        const socket = connectPlain(haproxy.ports[side], '127.0.0.1');
        // A socket that is not read does not notice that it was closed.
        socket.resume();
        socket.on('error', () => {}).on('close', () => void closed.add(socket));
        sockets.push(socket);
        // A refused one may be reset before it is connected.
        await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => {});
      }
      // Its threads accept connections in any order: which five are refused is not determined, but the number is.
      await waitFor(() => closed.size >= 5, { what: 'five to be refused' });
      const open = sockets.filter((socket) => !closed.has(socket));
      if (side === 'sftp') await waitFor(() => gateway.received.length >= 5, { what: 'five at the gateway' });
      else
        await Promise.all(open.map((socket) => once(connect({ socket, rejectUnauthorized: false }), 'secureConnect')));
      expect([open.length, closed.size, gateway.received.length]).toEqual([5, 5, side === 'sftp' ? 5 : 0]);
      for (const socket of sockets) socket.destroy();
      gateway.stop();
    },
  );

  it('is the one that a trusted balancer in front reports', async () => {
    await start({ WAYBILL_FORWARDED_FOR_FROM: '127.0.0.0/8 ::1', WAYBILL_REQUEST_RATE: '20' });
    const from = async (address: string) =>
      requestTls(haproxy.ports.partners, '/2.0/files/a', { 'x-forwarded-for': `198.51.100.1, ${address}` });
    await waitFor(async () => (await from('203.0.113.7')).status === 200, { what: 'the peer' });
    expect(JSON.parse((await from('203.0.113.9')).text)).toMatchObject({ 'x-forwarded-for': '203.0.113.9' });
    for (let count = 0; count < 30; count++) await from('203.0.113.9');
    expect([(await from('203.0.113.9')).status, (await from('203.0.113.10')).status]).toEqual([429, 200]);
  });

  it('is read from the PROXY protocol of a trusted balancer in front', async () => {
    await start({ WAYBILL_PROXY_PROTOCOL_FROM: '127.0.0.1' });
    const socket = connectPlain(haproxy.ports.partners, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('PROXY TCP4 203.0.113.77 127.0.0.1 50000 8443\r\n');
    const secure = connect({ socket, rejectUnauthorized: false });
    await once(secure, 'secureConnect');
    let answer = '';
    secure.setEncoding('utf8').on('data', (text: string) => void (answer += text));
    secure.write('GET /2.0/files/a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await once(secure, 'end');
    expect(answer).toContain('"x-forwarded-for":"203.0.113.77"');
    // Without the header the connection is closed.
    await expect(ask()).rejects.toThrow(/hang up|ECONNRESET|disconnected/u);
  });
});

describe('the certificate of HAProxy', () => {
  it('is replaced without dropping connections, and stays when the new one is refused', async () => {
    await start();
    const before = await handshake();
    const { cert, key } = await makeSelfSigned({ names: ['localhost'], days: 2 });
    expect(await pushCertificate({ ...haproxy, file: haproxy.certificateFile }, `${cert}\n\n${key}`)).toBe(true);
    const { fingerprint } = parseKeyPair(cert, key);
    expect((await handshake()).getPeerCertificate().fingerprint256).toBe(fingerprint);
    let answer = '';
    before.setEncoding('utf8').on('data', (text: string) => void (answer += text));
    before.write('GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n');
    await waitFor(() => answer.includes('route_not_found'), { what: 'an answer on the old connection' });
    before.destroy();
    const other = await makeSelfSigned({ names: ['localhost'], days: 2 });
    const wrong = pushCertificate({ ...haproxy, file: haproxy.certificateFile }, `${cert}${other.key}`);
    await expect(wrong).rejects.toThrow('HAProxy refuses the certificate');
    expect((await handshake()).getPeerCertificate().fingerprint256).toBe(fingerprint);
  });

  it('is not pushed if HAProxy does not run', async () => {
    await start();
    const { socketPath, certificateFile: file } = haproxy;
    await haproxy[Symbol.asyncDispose]();
    expect(await pushCertificate({ socketPath, file }, 'x')).toBe(false);
  });

  it.each([
    ['partners', 'TLSv1.1', false],
    ['partners', 'TLSv1.2', true],
    ['partners', 'TLSv1.3', true],
    ['administrators', 'TLSv1', false],
    ['administrators', 'TLSv1.3', true],
  ] as const)('is offered to %s with %s: %s', async (side, version, isShown) => {
    await start();
    const secured = handshake(only(version), side).then((socket) => socket.getProtocol());
    if (isShown) expect(await secured).toBe(version);
    else await expect(secured).rejects.toThrow(/protocol version/u);
  });

  it.each(['partners', 'administrators'] as const)(
    'is served to %s with forward secret, authenticated cipher suites only',
    async (side) => {
      await start({ WAYBILL_CONNECTION_RATE: '100000' });
      const found: string[] = [];
      for (const name of getCiphers()) {
        const suite = name.toUpperCase();
        const options = name.startsWith('tls_')
          ? { ...only('TLSv1.3'), ciphers: suite }
          : { ...only('TLSv1.2'), ciphers: `${suite}:@SECLEVEL=0` };
        const socket = await handshake(options, side).catch(() => undefined);
        if (socket === undefined) continue;
        found.push(socket.getCipher().name);
        socket.destroy();
      }
      // Its key is an elliptic-curve key.
      expect(found.toSorted()).toEqual([
        'ECDHE-ECDSA-AES128-GCM-SHA256',
        'ECDHE-ECDSA-AES256-GCM-SHA384',
        'ECDHE-ECDSA-CHACHA20-POLY1305',
        'TLS_AES_128_GCM_SHA256',
        'TLS_AES_256_GCM_SHA384',
        'TLS_CHACHA20_POLY1305_SHA256',
      ]);
    },
  );
});

/** A permissive client: by default OpenSSL itself refuses old versions. */
function only(version: NonNullable<ConnectionOptions['minVersion']>): ConnectionOptions {
  return { minVersion: version, maxVersion: version, ciphers: 'ALL:@SECLEVEL=0' };
}

async function handshake(options: ConnectionOptions = {}, side: 'partners' | 'administrators' = 'partners') {
  const socket = connect({ host: '127.0.0.1', port: haproxy.ports[side], rejectUnauthorized: false, ...options });
  await once(socket, 'secureConnect');
  // It may be disconnected when HAProxy ends.
  socket.on('error', () => {});
  return socket;
}
