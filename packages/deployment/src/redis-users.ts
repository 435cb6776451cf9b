import { createHash } from 'node:crypto';
import type { SecretName } from './secret-table.ts';

/** What one service may touch in Redis. */
interface RedisUser {
  readonly password: Extract<SecretName, `redis-${string}`>;
  /** Patterns of its keys. */
  readonly keys: readonly string[];
  /** Patterns of its channels. */
  readonly channels: readonly string[];
}

/** One user per service, with the keys that the service uses and no others. */
const redisUsers: Readonly<Record<string, RedisUser>> = {
  'sftp-gateway': {
    password: 'redis-sftp-gateway',
    keys: ['waybill:queue:*', 'waybill:sftp:*', 'waybill:sent-*', 'waybill:login-*', 'waybill:logins:*'],
    channels: ['waybill:*'],
  },
  'http-files': {
    password: 'redis-http-files',
    keys: ['waybill:queue:*', 'waybill:http-session*', 'waybill:sent-*', 'waybill:login-*', 'waybill:logins:*'],
    channels: ['waybill:*'],
  },
  'job-manager': {
    password: 'redis-job-manager',
    keys: ['waybill:queue:*', 'waybill:login-*', 'waybill:logins:*'],
    channels: ['waybill:*'],
  },
  audit: { password: 'redis-audit', keys: ['waybill:queue:outbox.audit-event:*'], channels: [] },
};

/** No FLUSHALL, KEYS, CONFIG, DEBUG and their kind; BullMQ asks INFO for the version. */
const commands = '+@all -@admin -@dangerous +info';

/**
 * The ACL file of Redis: one user per service, one that may only PING, for the health check, and no default user. It holds
 * SHA-256 of the passwords, which are random and long.
 */
export function renderRedisUsers(passwordOf: (name: SecretName) => string): string {
  const users = Object.entries(redisUsers).map(([name, { password, keys, channels }]) => {
    const hash = createHash('sha256').update(passwordOf(password)).digest('hex');
    const patterns = [...keys.map((key) => `~${key}`), ...channels.map((channel) => `&${channel}`)];
    return `user ${name} on #${hash} resetkeys resetchannels ${patterns.join(' ')} ${commands}`;
  });
  return `${['user default off', 'user health on nopass resetchannels -@all +ping', ...users].join('\n')}\n`;
}
