import type { AcceptConnection, ServerChannel, Session } from 'ssh2';

const message =
  'This server offers SFTP only: no shell, no commands, no scp of the old protocol (use scp without -O).\r\n';

/** Answers shell and exec with one sentence and exit code 1, so that the user learns why they do not work. */
export function refuseCommands(session: Session): void {
  const refuse = (accept: AcceptConnection<ServerChannel>): void => {
    const channel = accept();
    channel.on('error', () => {});
    channel.stderr.on('error', () => {});
    channel.resume();
    channel.stderr.write(message);
    channel.exit(1);
    channel.end();
  };
  session.on('shell', refuse);
  session.on('exec', refuse);
  // A terminal is granted, because the client would otherwise report that refusal instead.
  session.on('pty', (accept: (() => void) | undefined) => accept?.());
}
