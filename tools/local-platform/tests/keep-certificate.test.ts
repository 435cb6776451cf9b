import { X509Certificate } from 'node:crypto';
import { readFile, rename, stat } from 'node:fs/promises';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { makeSelfSigned } from '@waybill/certificates/make-self-signed';
import { configSchema, keepCertificate } from '@waybill/deployment/keep-certificate';
import { loadConfig } from '@waybill/service-kit/config/load-config';
import { createHealth } from '@waybill/service-kit/telemetry/health';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { createTlsFiles, type Pair, type TlsFiles } from '@waybill/test-kit/tls/create-tls-files';
import { replaceTlsPair } from '@waybill/test-kit/tls/replace-tls-pair';
import { shakeHands } from '@waybill/test-kit/tls/tls-client';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from 'vitest';
import { startHaproxy, type TestHaproxy } from './start-haproxy.ts';
import { startPeer, stopPeer } from './start-peer.ts';

const newPair = () => makeSelfSigned({ names: ['localhost'], days: 1 });
const fingerprintOf = ({ cert }: Pick<Pair, 'cert'>) => new X509Certificate(cert).fingerprint256;
/** Which certificate the file that HAProxy loads at its start has, with its key. */
const isIn = async (file: string, { cert, key }: Pair) =>
  (await readFile(file, 'utf8')) === `${cert.trimEnd()}\n${key.trimEnd()}\n`;

/** The keeper as its `main` starts it, inside the test. */
async function startKeeper(files: TlsFiles, haproxy: { certificateFile: string; socketPath: string }) {
  const resources = new AsyncDisposableStack();
  const logLines: string[] = [];
  const destination = { write: (line: string) => void logLines.push(line) };
  const metrics = createMetrics('certificate-keeper');
  const env = { HAPROXY_CERTIFICATE_FILE: haproxy.certificateFile, HAPROXY_SOCKET: haproxy.socketPath };
  await keepCertificate({
    config: loadConfig(configSchema, { ...files.env, ...env }),
    logger: createLogger({ service: 'certificate-keeper', level: 'info', destination }),
    metrics,
    health: createHealth(),
    resources,
  });
  return {
    logLines,
    failures: async () => Number(/waybill_tls_reload_failures_total\{[^}]*\} (\d+)/u.exec(await metrics.text())?.[1]),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

describe('the keeper of the certificate', () => {
  let peer: Server;
  let haproxy: TestHaproxy;
  let first: Pair;
  let files: TlsFiles;
  let keeper: Awaited<ReturnType<typeof startKeeper>>;

  beforeAll(async () => {
    peer = await startPeer();
    haproxy = await startHaproxy([peer, peer]);
    const address = `http://127.0.0.1:${haproxy.ports.operations}/health`;
    await waitFor(async () => (await fetch(address)).ok, { what: 'HAProxy to answer' });
  });
  afterAll(async () => {
    stopPeer(peer);
    await haproxy?.[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    first = await newPair();
    files = await createTlsFiles(first);
    keeper = await startKeeper(files, haproxy);
  });
  afterEach(async () => {
    await keeper[Symbol.asyncDispose]();
    await files[Symbol.asyncDispose]();
  });

  const served = async (): Promise<string> => {
    const socket = await shakeHands(haproxy.ports.partners);
    const { fingerprint256 } = socket.getPeerCertificate();
    socket.destroy();
    return fingerprint256;
  };
  const replaceWith = async (pair: Pair): Promise<void> => {
    await files.write(pair);
    await waitFor(async () => (await served()) === fingerprintOf(pair), { what: 'the new certificate' });
    await waitFor(() => isIn(haproxy.certificateFile, pair), { what: 'the file of the new certificate' });
  };
  const refusals = () => keeper.logLines.filter((line) => line.includes('the previous one stays in use'));

  it('passes the pair in the files to HAProxy before it is ready', async () => {
    expect(await served()).toBe(fingerprintOf(first));
    expect(await isIn(haproxy.certificateFile, first)).toBe(true);
    // HAProxy runs as another user.
    expect((await stat(haproxy.certificateFile)).mode & 0o777).toBe(0o444);
    expect(keeper.logLines.join('')).toContain('"isPushed":true');
  });

  it('passes a replaced pair to HAProxy, which drops no open connection', async () => {
    const replacement = await newPair();
    const port = haproxy.ports.partners;
    expect(await replaceTlsPair({ port, files, replacement, path: '/2.0/files/a' })).toEqual({
      isPlainHttpAnswered: false,
      open: { statuses: [200], fingerprints: [fingerprintOf(first)], connections: 1 },
      fresh: { status: 200, fingerprint: fingerprintOf(replacement) },
    });
    await waitFor(() => isIn(haproxy.certificateFile, replacement), { what: 'the file of the new certificate' });
    expect(await keeper.failures()).toBe(0);
  });

  it.each([
    [
      'a key that does not belong to the certificate',
      async () => ({ key: (await newPair()).key }),
      'does not belong to',
    ],
    ['half a certificate', async () => ({ cert: first.cert.slice(0, 90) }), 'holds no certificate'],
    ['an empty key', async () => ({ key: '' }), 'holds no private key'],
    ['a huge certificate', async () => ({ cert: 'x'.repeat(1_000_000) }), 'is larger than'],
  ])('keeps the pair before when the files have %s, says so once, and takes the next', async (_what, change, said) => {
    await files.write(await change());
    await waitFor(async () => (await keeper.failures()) === 1, { what: 'a failed reload' });
    expect(await served()).toBe(fingerprintOf(first));
    expect(await isIn(haproxy.certificateFile, first)).toBe(true);
    await replaceWith(await newPair());
    expect(refusals()).toEqual([expect.stringContaining(said)]);
    expect(await keeper.failures()).toBe(1);
    expect(keeper.logLines.join('')).not.toContain('PRIVATE KEY');
  });

  it('continues while the files are missing, and takes those that come', async () => {
    for (const file of [files.certFile, files.keyFile]) await rename(file, `${file}.away`);
    await waitFor(async () => (await keeper.failures()) >= 1, { what: 'a failed reload' });
    expect(await served()).toBe(fingerprintOf(first));
    expect(await isIn(haproxy.certificateFile, first)).toBe(true);
    await replaceWith(await newPair());
    expect(refusals()[0]).toContain('cannot be read (ENOENT)');
  });
});

describe('the keeper of the certificate without a HAProxy', () => {
  it('writes the file that HAProxy loads at its start', async () => {
    const first = await newPair();
    await using files = await createTlsFiles(first);
    await using folder = await createTestFolder();
    const certificateFile = join(folder.path, 'site.pem');
    await using keeper = await startKeeper(files, { certificateFile, socketPath: join(folder.path, 'admin.sock') });
    expect(await isIn(certificateFile, first)).toBe(true);
    const replacement = await newPair();
    await files.write(replacement);
    await waitFor(() => isIn(certificateFile, replacement), { what: 'the file of the new certificate' });
    expect(keeper.logLines.join('')).not.toContain('"isPushed":true');
    expect(await keeper.failures()).toBe(0);
  });

  it('does not start without a valid pair, and leaves the file of HAProxy as it is', async () => {
    const [{ cert }, { key }] = [await newPair(), await newPair()];
    await using files = await createTlsFiles({ cert, key });
    await using folder = await createTestFolder();
    const certificateFile = join(folder.path, 'site.pem');
    const starting = startKeeper(files, { certificateFile, socketPath: join(folder.path, 'admin.sock') });
    await expect(starting).rejects.toThrow('does not belong to the certificate');
    await expect(stat(certificateFile)).rejects.toThrow('ENOENT');
  });
});
