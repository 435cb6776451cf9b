import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { RedisConnection } from '@waybill/redis/connect-redis';
import { z } from 'zod';
import type { ServerAddress } from '../domain/sessions/server-session.ts';
import type { SessionSlots } from '../domain/sessions/session-slots.ts';
import { registryKeys } from './registry-keys.ts';

/**
 * KEYS: the slots of the server and those of the user there, session ids by the millisecond at which their lease ends.
 * ARGV: the session id, the lease (ms), the two limits. Returns 0 if the session has its slot, else which limit was
 * reached (1 or 2).
 */
const taking = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for i = 1, 2 do
  redis.call('ZREMRANGEBYSCORE', KEYS[i], '-inf', now)
  if redis.call('ZCARD', KEYS[i]) >= tonumber(ARGV[2 + i]) then return i end
end
for i = 1, 2 do
  redis.call('ZADD', KEYS[i], now + ARGV[2], ARGV[1])
  redis.call('PEXPIRE', KEYS[i], ARGV[2])
end
return 0`;

/**
 * KEYS: one set of slots. ARGV: the lease (ms), the session ids to renew. They are restored in a Redis that was
 * emptied.
 */
const renewing = `
local time = redis.call('TIME')
local ends = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[1]
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], ends, ARGV[i]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])`;

/** Session ids in one renewal: the number of arguments of a script is limited. */
const renewalSize = 1_000;

/**
 * Slots in Redis, each under a lease that this process renews three times in that time: the slots of a process that
 * dies expire.
 */
export function createRedisSessionSlots(options: {
  redis: RedisConnection;
  server: ServerAddress;
  /** Default: 12 s. */
  leaseMs?: number;
  failed(error: unknown): void;
}): SessionSlots & Disposable {
  const { redis, server, failed, leaseMs = 12_000 } = options;
  const taken = new Map<string, readonly [ofServer: string, ofUser: string]>();

  const renew = async (): Promise<void> => {
    const byKey = new Map<string, string[]>();
    for (const [sessionId, keys] of taken) {
      for (const key of keys) byKey.set(key, [...(byKey.get(key) ?? []), sessionId]);
    }
    const commands = redis.pipeline();
    for (const [key, ids] of byKey) {
      for (let at = 0; at < ids.length; at += renewalSize) {
        commands.eval(renewing, 1, key, leaseMs, ...ids.slice(at, at + renewalSize));
      }
    }
    await commands.exec();
  };
  const timer = setInterval(() => void renew().catch(failed), leaseMs / 3);

  return {
    take: async ({ sessionId, userName }, { ofServer, ofUser }) => {
      const keys = [registryKeys.slots(server), registryKeys.userSlots(server, userName)] as const;
      const limits = [ofServer, ofUser] as const;
      // Noted before the response: if that is lost, the release still frees the slot.
      taken.set(sessionId, keys);
      const refusedBy = z.int().parse(await redis.eval(taking, keys.length, ...keys, sessionId, leaseMs, ...limits));
      if (refusedBy === 0) return;
      taken.delete(sessionId);
      throw new CodedError('session_limit_reached', { detail: refusal(refusedBy === 2, userName, limits) });
    },
    release: async (sessionId) => {
      const keys = taken.get(sessionId);
      taken.delete(sessionId);
      if (keys === undefined) return;
      const commands = redis.multi();
      for (const key of keys) commands.zrem(key, sessionId);
      await commands.exec();
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

function refusal(isUsers: boolean, userName: UserName, [ofServer, ofUser]: readonly [number, number]): string {
  const whose = isUsers ? `user ${userName} may have ${ofUser}` : `this server takes ${ofServer}`;
  return `Too many open sessions: ${whose}. Close one, or try again later`;
}
