import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureProgram } from '@waybill/private-datastores/ensure-program';
import { findProgram } from '@waybill/private-datastores/find-program';
import { freePort } from '@waybill/private-datastores/free-port';
import { startOwnedProcess } from '@waybill/private-datastores/start-owned-process';
import { memoryOfTree } from '../processes/processes-of-tree.ts';
import { processorSecondsOfTree } from '../processes/read-processor-seconds.ts';
import { type BenchServer, endOfFile } from './bench-server.ts';
import type { LoginKey } from './create-login-key.ts';
import { untilListening } from './until-listening.ts';

const sbin = '/usr/sbin/sshd';

/** OpenSSH's server with internal-sftp, on a free port, for the user that runs the benchmark. */
export async function startOpensshServer(folder: string, key: LoginKey): Promise<BenchServer> {
  const program = await ensureServer();
  const files = join(folder, 'files');
  await mkdir(files, { recursive: true });
  const hostKey = join(folder, 'host-key');
  await promisify(execFile)('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', hostKey]);
  await writeFile(join(folder, 'authorized_keys'), `${key.publicKey}\n`, { mode: 0o600 });
  await chmod(folder, 0o755);
  const port = await freePort();
  const settings = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${hostKey}`,
    `AuthorizedKeysFile ${join(folder, 'authorized_keys')}`,
    'PidFile none',
    'StrictModes no',
    'UsePAM no',
    'UseDNS no',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'PermitRootLogin prohibit-password',
    'MaxStartups 2000',
    'LogLevel ERROR',
    'Subsystem sftp internal-sftp',
  ];
  await writeFile(join(folder, 'sshd_config'), `${settings.join('\n')}\n`);
  const server = await startOwnedProcess({
    command: [program, '-D', '-e', '-f', join(folder, 'sshd_config')],
    logFile: join(folder, 'sshd.log'),
    pidFile: join(folder, 'sshd.pid'),
    stopSignal: 'SIGTERM',
    patienceMs: 5_000,
  });
  await untilListening(port, server.exited, join(folder, 'sshd.log'));
  return {
    name: 'OpenSSH',
    port,
    user: userInfo().username,
    folder: files,
    memory: () => memoryOfTree(server.pid),
    processorSeconds: () => processorSecondsOfTree(server.pid),
    lastWords: () => endOfFile(join(folder, 'sshd.log')),
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

async function ensureServer(): Promise<string> {
  const found = await ensureProgram({
    what: 'OpenSSH',
    packages: ['openssh-server'],
    service: 'ssh',
    find: () => findProgram('sshd') ?? (findProgram('../sbin/sshd') && sbin),
    report: console.log,
  });
  // Only the system's service would create this folder.
  if (process.getuid?.() === 0) await mkdir('/run/sshd', { recursive: true, mode: 0o755 });
  return found;
}
