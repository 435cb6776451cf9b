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
  /** What it may do with keys of others, and no more. */
  readonly others?: { readonly keys: string; readonly commands: string };
}

/** One user per service, with the keys that the service uses and no others. */
const redisUsers: Readonly<Record<string, RedisUser>> = {
  'sftp-gateway': {
    password: 'redis-sftp-gateway',
    keys: [
      'waybill:queue:*',
      'waybill:sftp:*',
      'waybill:http-transfers*',
      'waybill:sent-*',
      'waybill:login-*',
      'waybill:logins:*',
      'waybill:presence',
    ],
    channels: ['waybill:*'],
    // Operators list and end sessions of http-files. This user can neither read nor create one.
    others: { keys: 'waybill:http-session:*', commands: '+exists +del' },
  },
  'http-files': {
    password: 'redis-http-files',
    keys: [
      'waybill:queue:*',
      'waybill:http-session*',
      'waybill:http-transfers*',
      'waybill:sent-*',
      'waybill:login-*',
      'waybill:logins:*',
      'waybill:presence',
    ],
    channels: ['waybill:*'],
  },
  'job-manager': {
    password: 'redis-job-manager',
    keys: ['waybill:queue:*', 'waybill:login-*', 'waybill:logins:*', 'waybill:client-connections', 'waybill:presence'],
    channels: ['waybill:*'],
  },
  audit: {
    password: 'redis-audit',
    keys: ['waybill:queue:outbox.audit-event:*', 'waybill:presence'],
    channels: [],
  },
};

/** No FLUSHALL, KEYS, CONFIG, DEBUG and similar commands; BullMQ reads the version with INFO. */
const commands = '+@all -@admin -@dangerous +info';

/**
 * The ACL file of Redis: one user per service, one that may only PING, for the health check, one that may only reload
 * this file, and no default user. Each may have several passwords, so that a new and the previous one are valid at the
 * same time. The file contains the SHA-256 of the passwords, which are random and long.
 */
export function renderRedisUsers(passwordsOf: PasswordsOf): string {
  const operator = `user operator on ${hashesOf(passwordsOf('redis-operator'))} resetchannels -@all +acl|load`;
  const users = serviceUserLines(passwordsOf);
  return `${['user default off', 'user health on nopass resetchannels -@all +ping', operator, ...users].join('\n')}\n`;
}

/** The users of the services alone, a line each, as a configuration of Redis has them too. */
export function serviceUserLines(passwordsOf: PasswordsOf): string[] {
  return Object.entries(redisUsers).map(([name, { password, keys, channels, others }]) => {
    const patterns = [...keys.map((key) => `~${key}`), ...channels.map((channel) => `&${channel}`)];
    const rights = `resetkeys resetchannels ${patterns.join(' ')} ${commands}`;
    const selector = others === undefined ? '' : ` (${others.commands} ~${others.keys})`;
    return `user ${name} on ${hashesOf(passwordsOf(password))} ${rights}${selector}`;
  });
}

type PasswordsOf = (name: RedisSecretName) => readonly string[];

function hashesOf(passwords: readonly string[]): string {
  return passwords.map((password) => `#${createHash('sha256').update(password).digest('hex')}`).join(' ');
}
