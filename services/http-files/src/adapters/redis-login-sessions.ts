import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { httpSessionKey } from '@waybill/contracts/messages/session-termination';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import type { RedisConnection } from '@waybill/redis/connect-redis';
import { z } from 'zod';
import type { LoginSession, LoginSessions } from '../domain/logins/login-sessions.ts';

const sessionSchema = z.object({
  id: z.string(),
  userName: userNameSchema,
  credential: z.string().default(''),
  loginEpoch: z.number().default(-1),
  address: z.string().optional(),
});

/** Random bytes of a token: 144 bits, 24 characters. */
const tokenBytes = 18;

/** Created if it is missing, which it is after Redis has lost its data. */
const generationKey = 'waybill:http-sessions-generation';

/**
 * Login sessions in Redis, which all peers share. A session is stored under a hash of its token, so that read access to
 * Redis does not disclose tokens; Redis itself deletes it if it is not used within `idleSeconds`.
 */
export function createRedisLoginSessions(redis: RedisConnection, idleSeconds: number): LoginSessions {
  const generation = async (): Promise<string> => {
    const made = randomUUID();
    await redis.set(generationKey, made, 'NX');
    return (await redis.get(generationKey)) ?? made;
  };
  return {
    generation,
    open: async (user) => {
      const current = await generation();
      const token = randomBytes(tokenBytes).toString('base64url');
      const handle = handleOf(token);
      const stored = { id: randomUUID(), ...user };
      await redis.set(httpSessionKey(handle), JSON.stringify(stored), 'EX', idleSeconds);
      return { token, session: { ...stored, handle }, generation: current };
    },
    find: async (token, { isUse }) => {
      const handle = handleOf(token);
      const key = httpSessionKey(handle);
      const stored = await (isUse ? redis.getex(key, 'EX', idleSeconds) : redis.get(key));
      return stored === null ? undefined : sessionOf(handle, stored);
    },
    look: async (handles) => {
      const stored = handles.length === 0 ? [] : await redis.mget(handles.map(httpSessionKey));
      return handles.flatMap((handle, index) => {
        const text = stored[index] ?? null;
        return text === null ? [] : [sessionOf(handle, text)];
      });
    },
    extend: async (handles) => {
      const step = redis.pipeline();
      // Does nothing for a key that does not exist: an ended session stays ended.
      for (const handle of handles) step.expire(httpSessionKey(handle), idleSeconds);
      for (const [error] of (await step.exec()) ?? []) if (error !== null) throw error;
    },
    close: async (handle) => {
      await redis.del(httpSessionKey(handle));
    },
  };
}

function sessionOf(handle: string, stored: string): LoginSession {
  return { ...sessionSchema.parse(JSON.parse(stored)), handle };
}

function handleOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
