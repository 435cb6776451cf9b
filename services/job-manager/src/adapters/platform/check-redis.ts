import type { RedisConnection } from '@waybill/redis/connect-redis';
import type { Finding } from '../../domain/platform/watched-part.ts';

/** What Redis says of itself. */
export interface RedisDetails {
  readonly version: string;
  readonly role: string;
  readonly usedBytes: number;
  readonly limitBytes: number;
  readonly policy: string;
  readonly evictedKeys: number;
  readonly persistence: 'append-only' | 'snapshots' | 'none';
}

const fullAbove = 0.9;

/** Asks Redis how it does. Besides INFO, the services' users may not call commands about the server. */
export async function checkRedis(redis: RedisConnection): Promise<Finding<RedisDetails>> {
  const fields = fieldsOf(await redis.info());
  const text = (name: string): string => fields.get(name) ?? '';
  const number = (name: string): number => Number(fields.get(name) ?? 0);
  const details: RedisDetails = {
    version: fields.get('valkey_version') ?? text('redis_version'),
    role: text('role'),
    usedBytes: number('used_memory'),
    limitBytes: number('maxmemory'),
    policy: text('maxmemory_policy'),
    evictedKeys: number('evicted_keys'),
    persistence: persistenceOf(text('aof_enabled') === '1', number('rdb_last_save_time') > 0),
  };
  const hasFailed = text('aof_last_write_status') === 'err' || text('rdb_last_bgsave_status') === 'err';
  const reason = hasFailed ? 'Redis could not write to its disk' : concernOf(details);
  return { state: reason === undefined ? 'up' : 'degraded', reason, details };
}

function concernOf({ role, policy, persistence, usedBytes, limitBytes }: RedisDetails): string | undefined {
  if (role !== 'master') return `Redis is a ${role}: nothing can be changed`;
  if (policy !== 'noeviction')
    return `Redis has maxmemory-policy ${policy}: messages may be lost; set it to noeviction`;
  if (limitBytes > 0 && usedBytes > fullAbove * limitBytes) return 'The memory of Redis is nearly full';
  if (persistence === 'none') return 'Redis keeps nothing over a restart: turn its append-only file on';
  return undefined;
}

function persistenceOf(hasLog: boolean, hasSnapshots: boolean): RedisDetails['persistence'] {
  if (hasLog) return 'append-only';
  return hasSnapshots ? 'snapshots' : 'none';
}

function fieldsOf(info: string): ReadonlyMap<string, string> {
  const lines = info.split('\r\n').filter((line) => line.includes(':'));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]));
}
