import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import type { PartnerUser } from '@waybill/directory/users/partner-user';
import type { LoginEvidence, ServerSession } from './server-session.ts';
import type { SessionAudit } from './session-audit.ts';
import type { OwnSessions } from './session-registry.ts';
import type { SessionLimits, SessionSlots } from './session-slots.ts';

/** The client of a session. */
export interface SessionClient {
  readonly user: Pick<PartnerUser, 'name' | 'maxSessions'>;
  readonly address: string;
  readonly port: number;
  /** The SSH banner. */
  readonly version: string;
  readonly evidence: LoginEvidence;
}

/** Opens and closes the sessions of this peer: audits them and updates the registry. */
export interface SessionLifecycle {
  /**
   * Also rejects if the login cannot be audited: no session opens without an audit record.
   * @throws CodedError `session_limit_reached`
   */
  open(client: SessionClient): Promise<ServerSession>;
  /** Never rejects. `reason` is given if neither the client nor an administrator ended the session. */
  close(session: ServerSession, reason?: string): Promise<void>;
}

const auditAttempts = 5;
const auditRetryMs = 500;

/** @param ports.failed receives errors of background work */
export function createSessionLifecycle(ports: {
  own: OwnSessions;
  slots: SessionSlots;
  audit: SessionAudit;
  limitsOf(user: SessionClient['user']): Promise<SessionLimits>;
  failed(error: unknown): void;
}): SessionLifecycle {
  const { own, slots, audit, limitsOf, failed } = ports;
  // Without Redis sessions cannot be counted or listed, but partners can still deliver: the registry is restored when
  // Redis is back.
  const takeSlot = async (session: ServerSession, limits: SessionLimits): Promise<void> => {
    try {
      await slots.take(session, limits);
    } catch (error) {
      if (isCodedError(error)) throw error;
      failed(error);
    }
  };
  return {
    open: async ({ user, address, port, version, evidence }) => {
      const session: ServerSession = {
        sessionId: createSessionId(),
        userName: user.name,
        clientIp: `/${address.includes(':') ? `[${address}]` : address}:${port}`,
        clientPort: String(port),
        clientVersion: version,
        openedAt: Date.now(),
      };
      await takeSlot(session, await limitsOf(user));
      try {
        await audit.loggedIn(session, evidence);
      } catch (error) {
        await slots.release(session.sessionId).catch(failed);
        throw error;
      }
      await own.add(session).catch(failed);
      return session;
    },
    close: async (session, reason) => {
      await Promise.all([slots.release(session.sessionId).catch(failed), own.remove(session.sessionId).catch(failed)]);
      for (let attempt = 1; attempt <= auditAttempts; attempt += 1) {
        try {
          await audit.loggedOut(session, reason);
          return;
        } catch (error) {
          failed(error);
          await delay(auditRetryMs * attempt);
        }
      }
    },
  };
}

/** An unguessable session id: 512 random bits as 128 upper-case hexadecimal characters. */
function createSessionId(): string {
  return randomBytes(64).toString('hex').toUpperCase();
}
