import type { OwnSessions } from './domain/sessions/session-registry.ts';
import type { SftpServer } from './sftp/server/create-sftp-server.ts';

const everyMs = 1_000;

/** Tells the registry once a second what sessions are at: those of this process that moved, in one step. */
export function reportActivities(ports: {
  sftp: Pick<SftpServer, 'takeActivities'>;
  own: Pick<OwnSessions, 'report'>;
  failed(error: unknown): void;
}): Disposable {
  const { sftp, own, failed } = ports;
  let reporting: Promise<void> | undefined;
  const report = (): void => {
    // One report at a time: while Redis is slow, what comes next is told with the one after.
    reporting ??= own
      .report(sftp.takeActivities())
      .catch(failed)
      .finally(() => {
        reporting = undefined;
      });
  };
  const timer = setInterval(report, everyMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
