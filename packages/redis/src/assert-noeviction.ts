import type { RedisConnection } from './connect-redis.ts';

/**
 * Refuses a Redis that may evict queued messages when its memory is full. A Redis whose configuration cannot be read
 * (often a managed one) is accepted.
 * @throws Error with one sentence that names the setting
 */
export async function assertNoeviction(redis: RedisConnection): Promise<void> {
  const answer: unknown = await redis.config('GET', 'maxmemory-policy').catch(() => null);
  const policy: unknown = Array.isArray(answer) ? answer[1] : undefined;
  if (typeof policy !== 'string' || policy === 'noeviction') return;
  throw new Error(`Redis has maxmemory-policy ${policy}: set it to noeviction, or messages may be lost`);
}
