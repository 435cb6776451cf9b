import { userNameSchema } from '@waybill/contracts/values/user-name';
import type { RedisConnection } from '@waybill/redis/connect-redis';
import {
  type CountedNetwork,
  type CountNetwork,
  parseCountedNetwork,
} from '@waybill/service-kit/network/counted-network';
import { createNetworkList } from '@waybill/service-kit/network/network-list';
import { z } from 'zod';
import type { BannedSubject, LoginBan, LoginBans, ThrottleScope } from './login-ban.ts';
import { subjectId, throttleKeys } from './throttle-keys.ts';

const subjectSchema = z.object({ address: z.string(), userName: userNameSchema.optional() });

/** The bans of one interface, which its throttles store in Redis. */
export function createLoginBans(options: {
  redis: RedisConnection;
  scope: ThrottleScope;
  countNetwork: CountNetwork;
}): LoginBans {
  const { redis, scope, countNetwork } = options;
  const keys = throttleKeys(scope);
  const list = async (): Promise<LoginBan[]> => {
    const stored = await redis.zrangebyscore(keys.bans, Date.now(), '+inf', 'WITHSCORES');
    const pairs = Array.from({ length: stored.length / 2 }, (_, index) => stored.slice(2 * index, 2 * index + 2));
    return pairs.flatMap(([text = '', until]) => {
      const subject = subjectOf(text);
      return subject === undefined ? [] : [{ scope, ...subject, until: new Date(Number(until)) }];
    });
  };
  const banOf = async (subject: BannedSubject): Promise<LoginBan | undefined> => {
    const until = Number(await redis.zscore(keys.bans, JSON.stringify(subject)));
    return until > Date.now() ? { scope, ...subject, until: new Date(until) } : undefined;
  };
  const end = async (matches: (ban: LoginBan) => boolean): Promise<LoginBan[]> => {
    const bans = (await list()).filter(matches);
    const commands = redis.multi();
    for (const { until: _until, scope: _scope, ...subject } of bans) {
      forget(commands, subject).zrem(keys.bans, JSON.stringify(subject));
    }
    await commands.exec();
    return bans;
  };
  const forget = (commands: ReturnType<RedisConnection['multi']>, subject: BannedSubject) =>
    commands.hdel(keys.failures, subjectId(subject)).zrem(keys.expiries, subjectId(subject));
  return {
    list,
    isBanned: async (clientAddress) => (await banOf({ address: countNetwork(clientAddress) })) !== undefined,
    find: async ({ userName, clientAddress }) => {
      const address = countNetwork(clientAddress);
      return (await banOf({ address })) ?? (await banOf({ address, userName }));
    },
    lift: async (text) => {
      const named = parseCountedNetwork(text);
      if (named === undefined) return [];
      const address = named.includes('/') ? named : countNetwork(named);
      await forget(redis.multi(), { address }).exec();
      return end((ban) => ban.address === named || ban.address === address || holds(ban.address, named));
    },
    liftOfUser: (userName) => end((ban) => ban.userName === userName),
  };
}

/** Bans of networks of a previously configured size are found by an address in them, too. */
function holds(network: CountedNetwork, address: string): boolean {
  return network.includes('/') && !address.includes('/') && createNetworkList([network])(address);
}

function subjectOf(text: string): BannedSubject | undefined {
  const parsed = subjectSchema.safeParse(JSON.parse(text));
  const address = parsed.success ? parseCountedNetwork(parsed.data.address) : undefined;
  if (!parsed.success || address === undefined) return undefined;
  const { userName } = parsed.data;
  return { address, ...(userName !== undefined && { userName }) };
}
