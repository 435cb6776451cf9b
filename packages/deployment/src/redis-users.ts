import { createHash } from 'node:crypto';
import type { SecretName } from './secret-table.ts';

/** The name of a password of Redis. */
export type RedisSecretName = Extract<SecretName, `redis-${string}`>;

/** The access of one service to Redis. */
interface RedisUser {
  readonly password: RedisSecretName;
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
    keys: ['waybill:queue:*', 'waybill:login-*', 'waybill:logins:*', 'waybill:client-connections'],
    channels: ['waybill:*'],
  },
  audit: { password: 'redis-audit', keys: ['waybill:queue:outbox.audit-event:*'], channels: [] },
};

/** No FLUSHALL, KEYS, CONFIG, DEBUG and similar commands; BullMQ reads the version with INFO. */
const commands = '+@all -@admin -@dangerous +info';

/**
 * The ACL file of Redis: one user per service, one that may only PING, for the health check, one that may only reload
 * this file, and no default user. Each may have several passwords, so that a new and the previous one are valid at the
 * same time. The file contains the SHA-256 of the passwords, which are random and long.
 */
export function renderRedisUsers(passwordsOf: (name: RedisSecretName) => readonly string[]): string {
  const hashesOf = (name: RedisSecretName): string =>
    passwordsOf(name)
      .map((password) => `#${createHash('sha256').update(password).digest('hex')}`)
      .join(' ');
  const users = Object.entries(redisUsers).map(([name, { password, keys, channels }]) => {
    const patterns = [...keys.map((key) => `~${key}`), ...channels.map((channel) => `&${channel}`)];
    return `user ${name} on ${hashesOf(password)} resetkeys resetchannels ${patterns.join(' ')} ${commands}`;
  });
  const operator = `user operator on ${hashesOf('redis-operator')} resetchannels -@all +acl|load`;
  return `${['user default off', 'user health on nopass resetchannels -@all +ping', operator, ...users].join('\n')}\n`;
}
