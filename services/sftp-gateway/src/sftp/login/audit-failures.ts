import { sshClient } from '../../domain/sessions/server-session.ts';
import type { SessionAudit } from '../../domain/sessions/session-audit.ts';
import type { GatewayEvents } from '../../events.ts';
import type { AuthenticationPorts } from './authenticate-connection.ts';

/** Audits the failed logins of one connection. They are answered even if they cannot be audited. */
export function auditFailures(connection: {
  readonly address: string;
  readonly port: number;
  readonly banner: string;
  readonly audit: Pick<SessionAudit, 'loginFailed' | 'turnedAway'>;
  readonly events: GatewayEvents;
}): Pick<AuthenticationPorts, 'failed' | 'turnedAway'> {
  const { address, port, banner, audit, events } = connection;
  const client = sshClient(address, port, banner);
  const notAudited = (error: unknown): void => events.operationFailed('audit', error);
  return {
    failed: async (userName, authentication, tries) => {
      events.loginFailed(userName, authentication, { address, tries });
      await audit.loginFailed({ userName, client, authentication }).catch(notAudited);
    },
    turnedAway: async (userName, authentication, reason) => {
      events.loginTurnedAway(userName, authentication, reason);
      await audit.turnedAway({ userName, client, authentication }, reason).catch(notAudited);
    },
  };
}
