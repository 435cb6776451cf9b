import type { RedisConnection } from '@waybill/redis/connect-redis';
import type { ServerAddress, ServerSession } from '../domain/sessions/server-session.ts';
import { noActivity } from '../domain/sessions/session-activity.ts';
import type { SessionRegistry } from '../domain/sessions/session-registry.ts';
import { registryKeys } from './registry-keys.ts';
import { processSchema, storedActivitySchema, storedSessionSchema } from './stored-session.ts';

/** Reads what all processes keep in Redis. */
export function createRedisSessionRegistry(redis: RedisConnection): SessionRegistry {
  const processes = async (where: Partial<ServerAddress> = {}) => {
    const members = await redis.zrangebyscore(registryKeys.processes, await redisNow(redis), '+inf');
    const known = members.map((member) => processSchema.parse(JSON.parse(member)));
    return known.filter(
      ({ clusterName, peerName, serverName }) =>
        (where.clusterName ?? clusterName) === clusterName &&
        (where.peerName ?? peerName) === peerName &&
        (where.serverName ?? serverName) === serverName,
    );
  };
  return {
    servers: async (clusterName, peerName) => {
      const names = (await processes({ clusterName, peerName })).map(({ serverName }) => serverName);
      return names.length === 0 ? undefined : [...new Set(names)];
    },
    list: async (server) => {
      const lists = (await processes(server)).map(({ processId }) => redis.hvals(registryKeys.sessions(processId)));
      return (await Promise.all(lists)).flat().map(parseSession);
    },
    find: async (server, sessionId) => {
      const searches = (await processes(server)).map(({ processId }) =>
        redis.hget(registryKeys.sessions(processId), sessionId),
      );
      const stored = (await Promise.all(searches)).find((found) => found !== null);
      return typeof stored === 'string' ? parseSession(stored) : undefined;
    },
    listAll: async () => {
      const lists = (await processes()).map(async ({ processId, ...server }) => {
        const [sessions, activities] = await Promise.all([
          redis.hvals(registryKeys.sessions(processId)),
          redis.hgetall(registryKeys.activities(processId)),
        ]);
        return sessions.map(parseSession).map((session) => {
          const stored = activities[session.sessionId];
          const activity = stored === undefined ? noActivity : storedActivitySchema.parse(JSON.parse(stored));
          return { server, session, activity };
        });
      });
      return (await Promise.all(lists)).flat();
    },
  };
}

function parseSession(stored: string): ServerSession {
  return storedSessionSchema.parse(JSON.parse(stored));
}

/** Milliseconds since 1970 by the clock of Redis: leases must not depend on the clocks of gateways. */
export async function redisNow(redis: RedisConnection): Promise<number> {
  const [seconds, microseconds] = await redis.time();
  return Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000);
}
