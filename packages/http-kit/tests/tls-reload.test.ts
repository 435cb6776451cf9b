import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectPlain } from 'node:net';
import { makeSelfSigned } from '@waybill/certificates/make-self-signed';
import { freePort } from '@waybill/private-datastores/free-port';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer } from './start-test-server.ts';
import { startTlsServer, type TlsServer } from './start-tls-server.ts';

let server: TlsServer;

beforeEach(async () => {
  server = await startTlsServer();
});
afterEach(() => server[Symbol.asyncDispose]());

const fingerprintOf = ({ cert }: { cert: string }) => new X509Certificate(cert).fingerprint256;
const newPair = () => makeSelfSigned({ names: ['localhost', '127.0.0.1'], days: 2 });

describe('a server with TLS files', () => {
  it('serves HTTPS and tells browsers to use it only', async () => {
    const answer = await server.get('/tree');
    expect(answer.status).toBe(200);
    expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
    expect(await server.fingerprint()).toBe(fingerprintOf(server.first));
  });

  it('uses a changed pair for new connections and keeps open ones', async () => {
    const open = await server.handshake();
    const received: string[] = [];
    open.setEncoding('utf8').on('data', (text: string) => void received.push(text));
    const ask = async (): Promise<void> => {
      const before = received.length;
      open.write('GET /bytes HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await waitFor(() => received.slice(before).join('').endsWith('0\r\n\r\n'), { what: 'an answer' });
    };
    await ask();
    const pair = await newPair();
    await server.write(pair);
    await waitFor(async () => (await server.fingerprint()) === fingerprintOf(pair), { what: 'the new certificate' });
    await ask();
    expect(open.getPeerCertificate().fingerprint256).toBe(fingerprintOf(server.first));
    open.destroy();
    const expiry = Math.floor(new X509Certificate(pair.cert).validToDate.getTime() / 1_000);
    expect(await server.metrics.text()).toMatch(
      new RegExp(`waybill_tls_certificate_expiry_timestamp_seconds\\{[^}]*\\} ${expiry}\n`, 'u'),
    );
  });

  it.each([
    [
      'a key of another certificate',
      async () => ({ key: (await newPair()).key }),
      'does not belong to the certificate',
    ],
    ['an empty certificate', async () => ({ cert: '' }), 'holds no certificate'],
    ['half a key', async () => ({ key: server.first.key.slice(0, 90) }), 'holds no private key'],
    ['a huge file', async () => ({ cert: 'x'.repeat(1_000_000) }), 'is larger than'],
  ])(
    'keeps the pair before when there is %s, says so once, and takes a sound one afterwards',
    async (_what, change, said) => {
      await server.write(await change());
      const failures = async () =>
        /waybill_tls_reload_failures_total\{[^}]*\} (\d+)/u.exec(await server.metrics.text())?.[1];
      await waitFor(async () => (await failures()) === '1', { what: 'a failed reload' });
      expect(await server.fingerprint()).toBe(fingerprintOf(server.first));
      const pair = await newPair();
      await server.write(pair);
      await waitFor(async () => (await server.fingerprint()) === fingerprintOf(pair), { what: 'the new certificate' });
      const lines = server.logLines.filter((line) => line.includes('the previous one stays in use'));
      expect(lines).toEqual([expect.stringContaining(said)]);
      expect(await failures()).toBe('1');
      expect(server.logLines.join('')).not.toContain('PRIVATE KEY');
    },
  );

  it('starts with an expired certificate, and warns', async () => {
    await using other = await startTlsServer(await makeSelfSigned({ names: ['localhost'], days: -0.01 }));
    expect((await other.get('/tree')).status).toBe(200);
    expect(other.logLines.filter((line) => line.includes('is not valid today'))).toHaveLength(1);
  });

  it('survives plain HTTP, half a handshake, and clients that say nothing', async () => {
    const plain = connectPlain(server.port, '127.0.0.1', () => plain.write('GET /tree HTTP/1.1\r\nHost: a\r\n\r\n'));
    plain.on('error', () => {});
    let answer = '';
    plain.on('data', (bytes: Buffer) => void (answer += bytes.toString('latin1')));
    await once(plain, 'close');
    expect(answer).not.toContain('HTTP/1.1 200');
    const half = connectPlain(server.port, '127.0.0.1', () => half.write(Buffer.from('16030100c8010000c40303', 'hex')));
    const silent = connectPlain(server.port, '127.0.0.1');
    for (const socket of [half, silent]) socket.on('error', () => {});
    await Promise.all([once(half, 'connect'), once(silent, 'connect')]);
    expect((await server.get('/tree')).status).toBe(200);
    half.destroy();
    silent.destroy();
  });
});

describe('a server with operations apart', () => {
  it('has health and metrics on their own listener, and nothing else there', async () => {
    await using probe = await startTestServer();
    const port = await freePort();
    await using apart = await startTestServer(undefined, { operations: { host: '127.0.0.1', port } });
    for (const path of ['/metrics', '/health/ready', '/health/live']) {
      expect([path, (await apart.call(path)).status]).toEqual([path, 404]);
      expect([path, (await fetch(`http://127.0.0.1:${port}${path}`)).status]).toEqual([path, 200]);
    }
    expect((await fetch(`http://127.0.0.1:${port}/tree`)).status).toBe(404);
    expect((await probe.call('/metrics')).status).toBe(200);
  });
});
