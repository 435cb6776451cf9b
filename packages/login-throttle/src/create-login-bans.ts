import type { RedisConnection } from '@waybill/redis/connect-redis';
import { z } from 'zod';
import type { LoginBan, LoginBans } from './login-ban.ts';
import { throttleKeys, type ThrottleScope } from './throttle-keys.ts';

const subjectSchema = z.object({ address: z.string(), userName: z.string().optional() });

/** The bans that the throttles of a door have put into Redis. */
export function createLoginBans({ redis, scope }: { redis: RedisConnection; scope: ThrottleScope }): LoginBans {
  const keys = throttleKeys(scope);
  const list = async (): Promise<LoginBan[]> => {
    const stored = await redis.zrangebyscore(keys.bans, Date.now(), '+inf', 'WITHSCORES');
    const pairs = Array.from({ length: stored.length / 2 }, (_, index) => stored.slice(2 * index, 2 * index + 2));
    return pairs.map(([subject = '', until]) => {
      const { address, userName } = subjectSchema.parse(JSON.parse(subject));
      return { scope, address, ...(userName !== undefined && { userName }), until: new Date(Number(until)) };
    });
  };
  const end = async (isMeant: (ban: LoginBan) => boolean): Promise<LoginBan[]> => {
    const bans = (await list()).filter(isMeant);
    const commands = redis.multi();
    for (const { until: _until, scope: _scope, ...subject } of bans) {
      commands.del(keys.failures(subject)).zrem(keys.bans, JSON.stringify(subject));
    }
    await commands.exec();
    return bans;
  };
  return {
    list,
    isBanned: async (address) => {
      const until = await redis.zscore(keys.bans, JSON.stringify({ address }));
      return until !== null && Number(until) > Date.now();
    },
    lift: async (address) => {
      await redis.del(keys.failures({ address }));
      return end((ban) => ban.address === address);
    },
    liftOfUser: (userName) => end((ban) => ban.userName === userName),
  };
}
