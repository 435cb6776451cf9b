import type { RedisConnection } from '../connect-redis.ts';

/** Milliseconds since 1970 by the clock of Redis: ages must not depend on the clocks of the processes. */
export async function redisTime(redis: RedisConnection): Promise<number> {
  const [seconds, microseconds] = await redis.time();
  return Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000);
}
