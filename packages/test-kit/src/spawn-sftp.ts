import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type OpensshLogin, opensshArguments, opensshEnvironment } from './openssh-login.ts';

/** Who logs in where. */
export interface SftpLogin extends OpensshLogin {
  readonly port: number;
  readonly user: string;
  readonly host?: string;
}

/** A running OpenSSH `sftp`, with its output so far. */
export interface SftpProcess {
  readonly child: ChildProcessWithoutNullStreams;
  stdout(): string;
  stderr(): string;
  /** Resolves when the client has ended and all its output is read; rejects when there is no such program. */
  readonly exited: Promise<{ exitCode: number | null }>;
}

/** Starts the OpenSSH client without any of the machine's own configuration, known hosts, agent or terminal. */
export function spawnSftp(
  login: SftpLogin,
  options: { readonly batch: boolean; readonly signal?: AbortSignal },
): SftpProcess {
  const child = spawn('sftp', argumentsFor(login, options.batch), {
    env: { ...process.env, ...opensshEnvironment(login) },
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  // The client may end before it has read its commands: its exit code reports that, not the broken pipe.
  child.stdin.on('error', () => {});
  const exited = once(child, 'close').then(([exitCode, signal]: unknown[]) => ({ exitCode: codeOf(exitCode, signal) }));
  exited.catch(() => {});
  return { child, exited, stdout: () => output.stdout, stderr: () => output.stderr };
}

/** `sftp` says 255 when its `ssh` fails, but dies of the broken pipe when that happens before it has written to it. */
function codeOf(exitCode: unknown, signal: unknown): number | null {
  if (signal === 'SIGPIPE') return 255;
  return typeof exitCode === 'number' ? exitCode : null;
}

function argumentsFor(login: SftpLogin, batch: boolean): string[] {
  return [
    ...opensshArguments(login),
    `-P${login.port}`,
    ...(batch ? ['-b', '-'] : []),
    `${login.user}@${login.host ?? '127.0.0.1'}`,
  ];
}
