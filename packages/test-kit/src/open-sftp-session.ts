import { type SftpLogin, spawnSftp } from './spawn-sftp.ts';

/** A session that stays open until the client closes it or the server ends it. */
export interface SftpSession extends AsyncDisposable {
  /** Gives the client one command; a failing command does not end the session. */
  send(command: string): void;
  stdout(): string;
  stderr(): string;
  readonly exited: Promise<{ exitCode: number | null }>;
  /** Says `bye` and waits for the client to end. */
  close(): Promise<void>;
  /** Kills the client, as a pulled plug would. */
  kill(): void;
}

/** Logs in with the OpenSSH client and leaves it waiting for commands; `stdout` shows `sftp>` once it is in. */
export function openSftpSession(login: SftpLogin): SftpSession {
  const client = spawnSftp(login, { batch: false });
  const close = async (): Promise<void> => {
    client.child.stdin.end('bye\n');
    await client.exited;
  };
  return {
    send: (command) => void client.child.stdin.write(`${command}\n`),
    stdout: client.stdout,
    stderr: client.stderr,
    exited: client.exited,
    close,
    kill: () => void client.child.kill('SIGKILL'),
    [Symbol.asyncDispose]: close,
  };
}
