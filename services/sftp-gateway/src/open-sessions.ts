import type { Directory } from '@waybill/directory/directory';
import type { Database } from '@waybill/postgres/database';
import type { RedisConnection } from '@waybill/redis/connect-redis';
import { announceOwnSessions } from './adapters/redis-own-sessions.ts';
import { createRedisSessionSlots } from './adapters/redis-session-slots.ts';
import { sweepDeadSessions } from './adapters/sweep-dead-sessions.ts';
import { findSessionLimits } from './domain/sessions/find-session-limits.ts';
import type { ServerAddress } from './domain/sessions/server-session.ts';
import type { SessionAudit } from './domain/sessions/session-audit.ts';
import { createSessionLifecycle } from './domain/sessions/session-lifecycle.ts';
import type { GatewayEvents } from './events.ts';

/** What sessions need. */
export interface SessionPorts {
  readonly db: Database;
  readonly redis: RedisConnection;
  readonly server: ServerAddress;
  readonly processId: string;
  readonly managerName: string;
  readonly directory: Pick<Directory, 'findCluster'>;
  readonly audit: SessionAudit;
  readonly events: GatewayEvents;
  readonly resources: AsyncDisposableStack;
}

/** Creates the session management of this process. */
export async function openSessions(ports: SessionPorts) {
  const { db, redis, server, processId, managerName, directory, audit, events, resources } = ports;
  const failed = events.registryBroke;
  resources.use(
    await sweepDeadSessions({
      db,
      redis,
      processId,
      managerName,
      found: events.sessionBuried,
      failed: events.sweepFailed,
    }),
  );
  const own = resources.use(await announceOwnSessions({ redis, server, processId, failed }));
  const slots = resources.use(createRedisSessionSlots({ redis, server, failed }));
  const limitsOf = (user: Parameters<typeof findSessionLimits>[2]) => findSessionLimits(directory, server, user);
  return { own, lifecycle: createSessionLifecycle({ own, slots, audit, limitsOf, failed }) };
}
