import type { RedisConnection } from '@waybill/redis/connect-redis';

/** Milliseconds since 1970 by the clock of Redis: leases must not depend on the clocks of gateways. */
export async function redisNow(redis: RedisConnection): Promise<number> {
  const [seconds, microseconds] = await redis.time();
  return Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000);
}
