import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { RedisConnection } from '@waybill/redis/connect-redis';
import { z } from 'zod';
import type { LoginSession, LoginSessions } from '../domain/login-sessions.ts';

const sessionSchema = z.object({ id: z.string(), userName: z.string(), credential: z.string().default('') });

/** Random bytes of a token: 144 bits, 24 characters. */
const tokenBytes = 18;

/**
 * Login sessions in Redis, which all peers share. A session is kept under a hash of its token, so that who reads Redis
 * cannot take a session over; Redis itself ends it when it was not asked for within `idleSeconds`.
 */
export function createRedisLoginSessions(redis: RedisConnection, idleSeconds: number): LoginSessions {
  return {
    open: async (userName, credential) => {
      const token = randomBytes(tokenBytes).toString('base64url');
      const session: LoginSession = { id: randomUUID(), userName, credential };
      await redis.set(keyOf(token), JSON.stringify(session), 'EX', idleSeconds);
      return { token, session };
    },
    find: async (token) => {
      const stored = await redis.getex(keyOf(token), 'EX', idleSeconds);
      return stored === null ? undefined : sessionSchema.parse(JSON.parse(stored));
    },
    close: async (token) => (await redis.del(keyOf(token))) === 1,
  };
}

function keyOf(token: string): string {
  return `waybill:http-session:${createHash('sha256').update(token).digest('hex')}`;
}
