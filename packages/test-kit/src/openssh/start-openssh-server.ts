import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { ensureProgram } from '@waybill/private-datastores/ensure-program';
import { freePort } from '@waybill/private-datastores/free-port';
import { createTestFolder } from '../create-test-folder.ts';
import { ensureOpensshSftpServer } from '../ensure-openssh-sftp-server.ts';
import { startServer } from '../processes/start-server.ts';

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
  /** Lets another key log in, given as a line of authorized_keys. */
  authorize(publicKey: string): Promise<void>;
  /** Ends all connections, as a router that forgets them. */
  cut(): void;
}

const program = '/usr/sbin/sshd';
const keyGenerator = 'ssh-keygen';

const always = [
  'ListenAddress 127.0.0.1',
  'StrictModes no',
  'UsePAM no',
  'PermitRootLogin prohibit-password',
  'PasswordAuthentication no',
  'PidFile none',
  'MaxStartups 100',
];

/** Starts one on a free port of the loopback interface; with Debian's package where that may be installed. @throws Refusal */
export async function startOpensshServer(): Promise<OpensshServer> {
  await ensureProgram({
    what: "OpenSSH's server",
    packages: ['openssh-server'],
    service: 'ssh',
    find: () => existsSync(program) || undefined,
  });
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
  const lines = [`Port ${port}`, `HostKey ${hostKeyFile}`, `AuthorizedKeysFile ${loginFile}.pub`, ...always];
  await writeFile(configuration, [...lines, `Subsystem sftp ${sftpServer}`, ''].join('\n'));
  const server = started.use(await startServer({ file: program, args: ['-D', '-e', '-f', configuration], port }));
  const [type, base64] = (await readFile(`${hostKeyFile}.pub`, 'utf8')).split(' ');
  const privateKey = await readFile(loginFile, 'utf8');
  const resources = started.move();
  return {
    port,
    userName: userInfo().username,
    privateKey,
    hostKey: `${type} ${base64}`,
    folder: files,
    authorize: (publicKey) => appendFile(`${loginFile}.pub`, `${publicKey}\n`),
    cut: () => server.signalConnections('SIGKILL'),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
