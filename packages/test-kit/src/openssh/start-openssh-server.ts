import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@waybill/private-datastores/free-port';
import { installDebianPackage, mayInstallDebianPackages } from '@waybill/private-datastores/install-debian-package';
import { Refusal } from '@waybill/private-datastores/refusal';
import { createTestFolder } from '../create-test-folder.ts';
import { ensureOpensshSftpServer } from '../ensure-openssh-sftp-server.ts';
import { waitFor } from '../wait-for.ts';

/** OpenSSH's server with SFTP, as the user of the test. */
export interface OpensshServer extends AsyncDisposable {
  readonly port: number;
  readonly userName: string;
  /** A private key that may log in. */
  readonly privateKey: string;
  /** The line of the host key, as `ssh-keyscan` prints it after the host. */
  readonly hostKey: string;
  /** A folder that can be written to. */
  readonly folder: string;
  /** Ends all connections, as a router that forgets them. */
  cut(): void;
}

const program = '/usr/sbin/sshd';
const keyGenerator = 'ssh-keygen';

/** Starts one on a free port of the loopback interface; with Debian's package where that may be installed. @throws Refusal */
export async function startOpensshServer(): Promise<OpensshServer> {
  await ensureSshd();
  const sftpServer = await ensureOpensshSftpServer();
  await using started = new AsyncDisposableStack();
  const folder = started.use(await createTestFolder());
  const [hostKeyFile, loginFile, files] = ['host-key', 'login-key', 'files'].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  for (const file of [hostKeyFile, loginFile])
    execFileSync(keyGenerator, ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
  await mkdir(files);
  await chmod(folder.path, 0o755);
  // The separation of privileges needs this folder, which Debian's package creates at the start of its service.
  if (userInfo().uid === 0) await mkdir('/run/sshd', { recursive: true });
  const port = await freePort();
  const configuration = join(folder.path, 'sshd_config');
  const lines = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${hostKeyFile}`,
    `AuthorizedKeysFile ${loginFile}.pub`,
    'StrictModes no',
    'UsePAM no',
    'PermitRootLogin prohibit-password',
    'PasswordAuthentication no',
    'PidFile none',
    'MaxStartups 100',
    `Subsystem sftp ${sftpServer}`,
  ];
  await writeFile(configuration, `${lines.join('\n')}\n`);
  const child = spawn(program, ['-D', '-e', '-f', configuration], { stdio: ['ignore', 'ignore', 'ignore'] });
  started.defer(() => stop(child));
  await waitFor(() => reach(port), { what: 'sshd to listen' });
  const [type, base64] = (await readFile(`${hostKeyFile}.pub`, 'utf8')).split(' ');
  const privateKey = await readFile(loginFile, 'utf8');
  const resources = started.move();
  return {
    port,
    userName: userInfo().username,
    privateKey,
    hostKey: `${type} ${base64}`,
    folder: files,
    cut: () => cutConnections(child),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function ensureSshd(): Promise<void> {
  if (!existsSync(program) && mayInstallDebianPackages()) await installDebianPackage('openssh-server').catch(() => {});
  if (existsSync(program)) return;
  throw new Refusal(
    `\`${program}\` is missing: install it (on Debian \`apt-get install openssh-server\`) and try again.`,
  );
}

/** Each connection is a child of the listener. */
function cutConnections({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  const listed = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
  for (const child of listed.split('\n').filter((line) => line.trim() !== '')) process.kill(Number(child), 'SIGKILL');
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function reach(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } finally {
    socket.destroy();
  }
}
