import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database } from '@waybill/postgres/database';
import type { RedisConnection } from '@waybill/redis/connect-redis';
import { auditedSession, type DeadSession } from '../domain/sessions/server-session.ts';
import { forgetProcesses, renewProcess, takeDeadSessions } from './open-session-rows.ts';
import { publishChanges } from './redis-session-feed.ts';

/** The process that sweeps. */
export interface SweepOptions {
  readonly db: Database;
  readonly redis: RedisConnection;
  readonly processId: string;
  readonly managerName: string;
  /** A process that has not renewed its lease for this long is dead; default: 9 s, with nine renewals in that time. */
  readonly leaseMs?: number;
  /** Called for every session of a dead process. */
  found(session: DeadSession): void;
  failed(error: unknown): void;
}

/**
 * Renews the lease of this process, and audits the logouts of sessions whose process died without: each once, by
 * whichever process finds it. After an outage of the database no process is considered dead until all have had time to
 * renew.
 */
export async function sweepDeadSessions(options: SweepOptions): Promise<AsyncDisposable> {
  const { db, redis, processId, managerName, found, failed, leaseMs = 9_000 } = options;
  let renewedSince = performance.now();

  const sweep = async (): Promise<void> => {
    const dead = await db.transaction(async (trx) => {
      const sessions = await takeDeadSessions(trx, leaseMs);
      const events = sessions.map((session) => logoutOf(session, managerName));
      if (events.length > 0) await appendToOutbox(trx, events);
      return sessions;
    });
    if (dead.length === 0) return;
    for (const session of dead) found(session);
    const changes = dead.map(({ sessionId }) => ({ kind: 'ended', sessionId }) as const);
    await publishChanges(redis.multi(), changes).exec();
  };
  const tend = async (): Promise<void> => {
    try {
      await renewProcess(db, processId);
    } catch (error) {
      renewedSince = Infinity;
      throw error;
    }
    if (renewedSince === Infinity) renewedSince = performance.now();
    if (performance.now() - renewedSince >= leaseMs) await sweep();
  };

  await renewProcess(db, processId);
  let tending: Promise<void> | undefined;
  const timer = setInterval(() => {
    tending ??= tend()
      .catch(failed)
      .finally(() => {
        tending = undefined;
      });
  }, leaseMs / 9);
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await tending;
      await forgetProcesses(db, processId).catch(failed);
    },
  };
}

function logoutOf({ sessionId, peerName, serverName, userName, client }: DeadSession, managerName: string) {
  const here = { entityType: 'SFTP Server', entityName: serverName, entityId: peerName };
  const context = { ...client, session: auditedSession(sessionId), reason: 'the process of the session has died' };
  const about = { ...here, user: userName, nodeId: peerName, managerName, context };
  const payload = composeAuditEvent('serverLogout', about);
  return { topic: 'audit-event', payload } as const;
}
