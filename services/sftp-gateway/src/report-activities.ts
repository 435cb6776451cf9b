import type { OwnSessions } from './domain/sessions/session-registry.ts';
import type { SftpServer } from './sftp/server/create-sftp-server.ts';

const everyMs = 1_000;

/** Reports once a second to the registry the activities of the sessions of this process that changed, in one step. */
export function reportActivities(ports: {
  sftp: Pick<SftpServer, 'takeActivities'>;
  own: Pick<OwnSessions, 'report'>;
  failed(error: unknown): void;
}): Disposable {
  const { sftp, own, failed } = ports;
  let reporting: Promise<void> | undefined;
  const report = (): void => {
    // One report at a time: while Redis is slow, later changes are sent with the next one.
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
