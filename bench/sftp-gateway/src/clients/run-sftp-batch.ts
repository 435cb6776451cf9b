import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { BenchServer } from '../servers/bench-server.ts';

/** The ciphers of transfers: the preference of OpenSSH's client, and the fastest. */
export const transferCiphers = ['aes128-gcm@openssh.com', 'chacha20-poly1305@openssh.com'].map((cipher) => ({
  cipher,
  name: cipher.split('@')[0] ?? cipher,
}));

/** The server, the client's key, and the commands. */
export interface SftpBatch {
  readonly server: BenchServer;
  readonly identityFile: string;
  readonly commands: readonly string[];
  readonly cipher?: string;
}

/** Runs commands through OpenSSH's `sftp` and returns the seconds, including the login. @throws Error */
export async function runSftpBatch({ server, identityFile, commands, cipher }: SftpBatch): Promise<number> {
  const options = {
    StrictHostKeyChecking: 'no',
    UserKnownHostsFile: '/dev/null',
    GlobalKnownHostsFile: '/dev/null',
    LogLevel: 'ERROR',
    IdentitiesOnly: 'yes',
    IdentityAgent: 'none',
    PreferredAuthentications: 'publickey',
    IdentityFile: identityFile,
    ...(cipher !== undefined && { Ciphers: cipher }),
  };
  const settings = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const target = `${server.user}@127.0.0.1`;
  const startedAt = performance.now();
  const client = spawn('sftp', ['-F', '/dev/null', `-P${server.port}`, ...settings, '-b', '-', target], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let complaint = '';
  client.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  client.stdin.end([`cd ${server.folder}`, ...commands, ''].join('\n'));
  const [exitCode] = (await once(client, 'close')) as [number | null];
  const seconds = (performance.now() - startedAt) / 1_000;
  if (exitCode !== 0) {
    throw new Error(`sftp to ${server.name} failed: ${complaint.slice(0, 2_000)}\n${await server.lastWords()}`);
  }
  return seconds;
}
