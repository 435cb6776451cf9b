import { connectRedis } from '@waybill/redis/connect-redis';
import { createLogger } from '@waybill/service-kit/telemetry/logger';

/** How long Redis keeps the sessions of a gateway that does not renew them from now on, by the clock of Redis. */
export async function longestLeaseMs(redisUrl: string): Promise<number> {
  const logger = createLogger({ service: 'test', level: 'fatal' });
  const redis = connectRedis({ url: redisUrl, name: 'test', logger });
  const leases = (await redis.keys('waybill:sftp:sessions:*')).map((key) => redis.pttl(key));
  const longest = Math.max(...(await Promise.all(leases)));
  redis.disconnect();
  return longest;
}
