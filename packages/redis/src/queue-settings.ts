/** What every key in Redis that belongs to a queue begins with. */
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
