import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo, Server as TcpServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeSelfSigned } from '@waybill/certificates/make-self-signed';
import { ensureProgram } from '@waybill/private-datastores/ensure-program';
import { findProgram } from '@waybill/private-datastores/find-program';
import { freePort } from '@waybill/private-datastores/free-port';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';

const configuration = fileURLToPath(new URL('../../../deploy/haproxy/haproxy.cfg', import.meta.url));
/** The ports of the configuration. */
const usualPorts = { plain: 8080, partners: 8443, administrators: 9443, operations: 8404, sftp: 2222 } as const;

/** Where a HAProxy listens. */
export type HaproxyPorts = Record<keyof typeof usualPorts, number>;

/**
 * HAProxy in the configuration of the deployment, on free ports, with two peers of http-files of the test, optional
 * unchecked peers of sftp-gateway, and no other services. `edit` changes the configuration first.
 */
export async function startHaproxy(
  peers: readonly Server[],
  env: Record<string, string> = {},
  sftpPeers: readonly TcpServer[] = [],
  edit: (configuration: string) => string = (text) => text,
) {
  const program = await ensureProgram({
    what: 'HAProxy',
    packages: ['haproxy'],
    service: 'haproxy',
    // The PATH of ordinary users of Debian has no folders for programs of the system.
    find: () => findProgram('haproxy') ?? findProgram('../sbin/haproxy'),
  });
  const folder = await createTestFolder();
  await mkdir(join(folder.path, 'run'));
  const certificateFile = join(folder.path, 'site.pem');
  const socketPath = join(folder.path, 'run', 'admin.sock');
  const pair = await makeSelfSigned({ names: ['localhost', '127.0.0.1'], days: 1 });
  await writeFile(certificateFile, `${pair.cert}${pair.key}`);
  const ports = await freePorts();
  const file = join(folder.path, 'haproxy.cfg');
  const targets = { ports, folder: folder.path, peers: peers.map(addressOf), sftpPeers: sftpPeers.map(addressOf) };
  await writeFile(file, adapt(edit(await readFile(configuration, 'utf8')), targets));
  await promisify(execFile)(program, ['-c', '-f', file]);
  const log: string[] = [];
  // Not the variables of the user who runs the tests.
  const environment = { PATH: process.env['PATH'], ...env };
  const haproxy = spawn(program, ['-db', '-f', file], { stdio: ['ignore', 'pipe', 'ignore'], env: environment });
  haproxy.stdout.setEncoding('utf8').on('data', (lines: string) => void log.push(lines));
  return {
    ports,
    log,
    pair,
    certificateFile,
    socketPath,
    [Symbol.asyncDispose]: async () => {
      haproxy.kill('SIGKILL');
      if (haproxy.exitCode === null && haproxy.signalCode === null) await once(haproxy, 'exit');
      await folder.remove();
    },
  };
}

/** The result of `startHaproxy`. */
export type TestHaproxy = Awaited<ReturnType<typeof startHaproxy>>;

interface Targets {
  ports: HaproxyPorts;
  folder: string;
  peers: readonly string[];
  sftpPeers: readonly string[];
}

function addressOf(server: TcpServer): string {
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function adapt(text: string, to: Targets): string {
  const listening = Object.entries(usualPorts).reduce(
    (result, [name, port]) => result.replace(`bind :${port}`, `bind 127.0.0.1:${to.ports[name as keyof HaproxyPorts]}`),
    text,
  );
  const withSftp = to.sftpPeers.reduce(
    (result, address, index) =>
      result.replace(
        `sftp-gateway-${index + 1}:2222 send-proxy-v2 check port 9081`,
        `${address} send-proxy-v2 no-check`,
      ),
    listening,
  );
  return withSftp
    .replaceAll('/var/lib/waybill/haproxy-run', join(to.folder, 'run'))
    .replaceAll('/var/lib/waybill/haproxy', to.folder)
    .replace('http-files-1:8082 check port 9082', `${to.peers[0] ?? '127.0.0.1:9'} check`)
    .replace('http-files-2:8082 check port 9082', `${to.peers[1] ?? '127.0.0.1:9'} check`)
    .replaceAll(/ (?:sftp-gateway-\d|job-manager-\d|audit-\d|acme):\d+/gu, ' 127.0.0.1:9');
}

async function freePorts(): Promise<HaproxyPorts> {
  const ports = new Set<number>();
  while (ports.size < Object.keys(usualPorts).length) ports.add(await freePort());
  const [plain = 0, partners = 0, administrators = 0, operations = 0, sftp = 0] = ports;
  return { plain, partners, administrators, operations, sftp };
}
