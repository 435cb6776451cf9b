import type { Logger } from '@waybill/service-kit/telemetry/logger';
import { Redis } from 'ioredis';

/** The address of Redis and the purpose of the connection. */
export interface RedisOptions {
  url: string;
  /** Shown in `CLIENT LIST`. */
  name: string;
  logger: Logger;
}

/** A connection to Redis. */
export type RedisConnection = Redis;

/**
 * A connection for commands whose caller waits: if Redis is unavailable they fail within 2 s instead of queueing
 * up. It reconnects automatically; `quit` or `disconnect` ends it.
 */
export function connectRedis({ url, name, logger }: RedisOptions): RedisConnection {
  const redis = new Redis(url, {
    connectionName: name,
    connectTimeout: 5_000,
    commandTimeout: 2_000,
    maxRetriesPerRequest: 1,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
  redis.on('error', (error) => logger.warn({ err: error }, 'redis connection'));
  return redis;
}

/** The prefix of every key in Redis that belongs to a queue. */
export const queuePrefix = 'waybill:queue';

/** How a worker connects to Redis: it waits for Redis to come back instead of failing. */
export function queueConnection(redisUrl: string, name: string) {
  return {
    url: redisUrl,
    connectionName: `waybill ${name}`,
    connectTimeout: 5_000,
    retryStrategy: (attempt: number) => Math.min(attempt * 100, 2_000),
  };
}
