import { createLoginThrottle, type ThrottleLimits } from '@waybill/login-throttle/create-login-throttle';
import type { LoginThrottle } from '@waybill/login-throttle/login-throttle';
import type { RedisConnection } from '@waybill/redis/connect-redis';
import type { CountNetwork } from '@waybill/service-kit/network/counted-network';
import type { LoginEvents } from '../domain/logins/login-events.ts';
import type { LoginRecord } from '../domain/logins/login-record.ts';

/** Locks out clients that guess passwords, over the whole cluster, and audits the start of each ban. */
export function openLoginThrottle(ports: {
  redis: RedisConnection;
  limits: ThrottleLimits;
  countNetwork: CountNetwork;
  record: Pick<LoginRecord, 'loginsBanned'>;
  events: Pick<LoginEvents, 'loginsBanned' | 'banNotRecorded'>;
}): LoginThrottle {
  const { redis, limits, countNetwork, record, events } = ports;
  return createLoginThrottle({
    redis,
    scope: 'http',
    limits,
    countNetwork,
    onBan: async (subject, seconds) => {
      events.loginsBanned(subject, seconds);
      await record.loginsBanned(subject, seconds).catch(events.banNotRecorded);
    },
  });
}
