import type { Directory } from '@waybill/directory/directory';
import type { RedisConnection } from '@waybill/redis/connect-redis';
import { announceOwnSessions } from './adapters/redis-own-sessions.ts';
import { createRedisSessionRegistry } from './adapters/redis-session-registry.ts';
import { createRedisSessionSlots } from './adapters/redis-session-slots.ts';
import { findSessionLimits } from './domain/sessions/find-session-limits.ts';
import type { ServerAddress } from './domain/sessions/server-address.ts';
import type { SessionAudit } from './domain/sessions/session-audit.ts';
import { createSessionLifecycle } from './domain/sessions/session-lifecycle.ts';
import type { GatewayEvents } from './events.ts';

/** What keeps the sessions of this process, and knows those of all others. */
export async function openSessions(ports: {
  redis: RedisConnection;
  server: ServerAddress;
  directory: Pick<Directory, 'findCluster'>;
  audit: SessionAudit;
  events: GatewayEvents;
  resources: AsyncDisposableStack;
}) {
  const { redis, server, directory, audit, events, resources } = ports;
  const failed = events.registryBroke;
  const own = resources.use(await announceOwnSessions({ redis, server, failed }));
  const slots = resources.use(createRedisSessionSlots({ redis, server, failed }));
  const limitsOf = (user: Parameters<typeof findSessionLimits>[2]) => findSessionLimits(directory, server, user);
  return {
    lifecycle: createSessionLifecycle({ own, slots, audit, limitsOf, failed }),
    registry: createRedisSessionRegistry(redis),
  };
}
