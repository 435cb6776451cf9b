import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createServer as createSocketServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fileFailureSchema } from '@waybill/contracts/endpoints/files/file-failure';
import { problemSchema } from '@waybill/contracts/problem';
import { findProgram } from '@waybill/private-datastores/find-program';
import { installDebianPackage, mayInstallDebianPackages } from '@waybill/private-datastores/install-debian-package';
import { Refusal } from '@waybill/private-datastores/refusal';
import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { createTestFolder, type TestFolder } from '@waybill/test-kit/create-test-folder';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const configuration = fileURLToPath(new URL('../../../deploy/haproxy/haproxy.cfg', import.meta.url));

/** HAProxy as the deployment has it, but with two peers of http-files of the test's own, and nothing else behind it. */
describe('the load balancer of the deployment', () => {
  const peers: Server[] = [];
  const log: string[] = [];
  let folder: TestFolder;
  let haproxy: ReturnType<typeof spawn>;
  let url: string;

  beforeAll(async () => {
    await ensureHaproxy();
    peers.push(await startPeer(), await startPeer());
    const [http, sftp] = [await freePort(), await freePort()];
    const [one, two] = peers.map((peer) => `127.0.0.1:${(peer.address() as AddressInfo).port}`);
    const text = (await readFile(configuration, 'utf8'))
      .replace('bind :8080', `bind 127.0.0.1:${http}`)
      .replace('bind :2222', `bind 127.0.0.1:${sftp}`)
      .replace('http-files-1:8082', String(one))
      .replace('http-files-2:8082', String(two))
      .replaceAll(/ (?:sftp-gateway-\d|job-manager|audit):\d+/gu, ' 127.0.0.1:9');
    folder = await createTestFolder();
    const file = join(folder.path, 'haproxy.cfg');
    await writeFile(file, text);
    await promisify(execFile)('haproxy', ['-c', '-f', file]);
    haproxy = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'ignore'] });
    haproxy.stdout?.setEncoding('utf8').on('data', (lines: string) => void log.push(lines));
    url = `http://127.0.0.1:${http}`;
    await waitFor(async () => (await client().get('/2.0/files/a')).status === 200, { what: 'HAProxy to answer' });
    const noJobs = async () => (await client().get('/job-manager/jobs')).status === 503;
    await waitFor(noJobs, { what: 'HAProxy to find no job manager' });
  }, 120_000);
  afterAll(async () => {
    for (const peer of peers) stop(peer);
    haproxy?.kill('SIGKILL');
    if (haproxy?.exitCode === null && haproxy.signalCode === null) await once(haproxy, 'exit');
    await folder?.remove();
  });
  const client = () => createHttpClient(url);

  it.each([
    ['an address', `/2.0/files/${'a'.repeat(40_000)}`, {}],
    ['a longer address', `/2.0/files/${'a'.repeat(60_000)}`, {}],
    ['a header', '/2.0/files/a', { 'x-long': 'a'.repeat(40_000) }],
  ])('leaves it to the service to refuse %s that is too long', async (_what, path, headers) => {
    const response = await client().get(path, { headers });
    expect([response.status, response.text]).toEqual([431, 'the service says so']);
  });

  it('answers where no service is with a problem whose request is found in the log', async () => {
    const response = await client().get('/nowhere');
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
    const { requestId, ...problem } = problemSchema.parse(response.json());
    expect(problem).toMatchObject({ status: 404, code: 'route_not_found' });
    await waitFor(() => log.join('').includes(` "GET /nowhere HTTP/1.1" ${requestId}\n`), {
      what: 'the line in the log',
    });
  });

  it('answers for a service that is away with a problem', async () => {
    const response = await client().get('/job-manager/jobs');
    expect([response.status, response.headers.get('content-type')]).toEqual([503, 'application/problem+json']);
    expect(problemSchema.parse(response.json())).toMatchObject({ status: 503, code: 'service_unavailable' });
  });

  it('answers for http-files that is away with a result body, which tells the time', async () => {
    for (const peer of peers) stop(peer);
    const away = async () => {
      const response = await client().get('/2.0/files/a');
      return response.status === 503 ? response : undefined;
    };
    const response = await waitFor(away, { what: 'HAProxy to miss the peers' });
    expect(response.headers.get('content-type')).toBe('application/json');
    const { timestamp, ...failure } = fileFailureSchema.parse(response.json());
    expect(failure).toEqual({
      result: 'failed',
      message: 'The service cannot answer right now',
      errorType: 'internal',
    });
    expect(Math.abs(Date.now() - Date.parse(timestamp))).toBeLessThan(60_000);
  });
});

async function ensureHaproxy(): Promise<void> {
  if (findProgram('haproxy') !== undefined) return;
  if (!mayInstallDebianPackages()) {
    throw new Refusal('HAProxy is missing: install it (on Debian `apt-get install haproxy`) and try again.');
  }
  await installDebianPackage('haproxy', { service: 'haproxy' });
}

/** Stands in for a peer of http-files, with the limit that the services have. */
async function startPeer(): Promise<Server> {
  const peer = createServer({ maxHeaderSize: 32 * 1024 }, (_req, res) => res.end());
  peer.on('clientError', (_error, socket) =>
    socket.end('HTTP/1.1 431 Too Large\r\nContent-Length: 19\r\nConnection: close\r\n\r\nthe service says so'),
  );
  peer.listen(0, '127.0.0.1');
  await once(peer, 'listening');
  return peer;
}

function stop(peer: Server): void {
  peer.close();
  peer.closeAllConnections();
}

async function freePort(): Promise<number> {
  const server = createSocketServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
