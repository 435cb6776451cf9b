import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getCiphers } from 'node:tls';
import { promisify } from 'node:util';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import type { Pair } from '@waybill/test-kit/tls/create-tls-files';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTlsServer, type TlsServer } from './start-tls-server.ts';

/** What the listener accepts, and nothing else. */
const accepted = {
  ec: ['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-ECDSA-AES256-GCM-SHA384', 'ECDHE-ECDSA-CHACHA20-POLY1305'],
  rsa: ['ECDHE-RSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES256-GCM-SHA384', 'ECDHE-RSA-CHACHA20-POLY1305'],
  tls13: ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'],
} as const;

/** A permissive client: by default OpenSSL itself refuses old versions and weak ciphers. */
const careless = '@SECLEVEL=0';

describe.each([
  ['ec', ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256']],
  ['rsa', ['-newkey', 'rsa:2048']],
] as const)('a scan of a listener with an %s key', (kind, keyOptions) => {
  let server: TlsServer;

  beforeAll(async () => {
    server = await startTlsServer(await makePair(keyOptions));
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  it('finds only forward secret, authenticated cipher suites of TLS 1.2', async () => {
    const offered = getCiphers().filter((name) => !name.startsWith('tls_'));
    expect(offered.length).toBeGreaterThan(50);
    const found: string[] = [];
    for (const name of offered) {
      const ciphers = `${name.toUpperCase()}:${careless}`;
      const socket = await server
        .handshake({ minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2', ciphers })
        .catch(() => undefined);
      if (socket === undefined) continue;
      expect(socket.getProtocol()).toBe('TLSv1.2');
      found.push(socket.getCipher().name);
      socket.destroy();
    }
    expect(found.toSorted()).toEqual(accepted[kind]);
  });

  it('finds the three cipher suites of TLS 1.3', async () => {
    const found: string[] = [];
    for (const name of getCiphers().filter((cipher) => cipher.startsWith('tls_'))) {
      const ciphers = name.toUpperCase();
      const socket = await server.handshake({ minVersion: 'TLSv1.3', ciphers }).catch(() => undefined);
      if (socket === undefined) continue;
      found.push(socket.getCipher().name);
      socket.destroy();
    }
    expect(found.toSorted()).toEqual(accepted.tls13);
  });

  it.each(['-tls1', '-tls1_1'])('finds no %s', async (version) => {
    const said = await askOpenssl(server.port, [version, '-cipher', `ALL:${careless}`]);
    expect(said).toMatch(/alert protocol version|unsupported protocol/u);
    expect(said).not.toMatch(/Cipher is [A-Z]+-/u);
  });

  it.each([
    ['-tls1_2', 'TLSv1.2'],
    ['-tls1_3', 'TLSv1.3'],
  ])('finds %s', async (version, name) => {
    expect(await askOpenssl(server.port, [version])).toMatch(new RegExp(`New, ${name}, Cipher is `, 'u'));
  });

  it('finds no renegotiation, and no compression', async () => {
    const said = await askOpenssl(server.port, ['-tls1_2'], 'R\n');
    expect(said).toContain('Compression: NONE');
    expect(said).toMatch(/no renegotiation|handshake failure/u);
  });
});

async function makePair(keyOptions: readonly string[]): Promise<Pair> {
  const folder = await createTestFolder();
  const [keyFile, certFile] = [join(folder.path, 'key.pem'), join(folder.path, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-days', '1', '-nodes', '-keyout', keyFile, '-out', certFile];
  await promisify(execFile)('openssl', ['req', '-x509', ...keyOptions, ...subject]);
  const [key, cert] = [await readFile(keyFile, 'utf8'), await readFile(certFile, 'utf8')];
  await folder.remove();
  return { key, cert };
}

/** What `openssl s_client` says, on both of its outputs. */
async function askOpenssl(port: number, options: readonly string[], input = ''): Promise<string> {
  const client = spawn('openssl', ['s_client', '-connect', `127.0.0.1:${port}`, ...options], { timeout: 20_000 });
  let said = '';
  client.stdout.setEncoding('utf8').on('data', (text: string) => void (said += text));
  client.stderr.setEncoding('utf8').on('data', (text: string) => void (said += text));
  // It may have ended before it receives its input.
  client.stdin.on('error', () => {});
  client.stdin.end(input);
  await once(client, 'close');
  return said;
}
