import { createLoginBans } from '@waybill/login-throttle/create-login-bans';
import { createLoginThrottle } from '@waybill/login-throttle/create-login-throttle';
import { joinLoginBans } from '@waybill/login-throttle/join-login-bans';
import { throttleScopes } from '@waybill/login-throttle/login-ban';
import { exemptNetworks } from '@waybill/login-throttle/login-throttle';
import { tolerateOutage } from '@waybill/login-throttle/tolerate-outage';
import type { RedisConnection } from '@waybill/redis/connect-redis';
import { createNetworkCounter } from '@waybill/service-kit/network/counted-network';
import { createNetworkList } from '@waybill/service-kit/network/network-list';
import type { Config } from './config.ts';
import type { SessionAudit } from './domain/sessions/session-audit.ts';
import type { GatewayEvents } from './events.ts';

/** The protection against guessed passwords: the throttle and its bans. Without Redis neither has an effect. */
export function openLoginGuard(ports: {
  config: Config;
  redis: RedisConnection;
  audit: Pick<SessionAudit, 'loginsBanned'>;
  events: GatewayEvents;
}) {
  const { config, redis, audit, events } = ports;
  const scope = 'sftp';
  const countNetwork = createNetworkCounter(config.CLIENT_IPV6_PREFIX_BITS);
  const counting = createLoginThrottle({
    redis,
    scope,
    limits: {
      perUser: config.SFTP_LOGIN_FAILURES_PER_USER,
      perAddress: config.SFTP_LOGIN_FAILURES_PER_ADDRESS,
      windowSeconds: config.SFTP_LOGIN_FAILURE_WINDOW_SECONDS,
    },
    countNetwork,
    banSeconds: config.SFTP_BAN_SECONDS,
    onBan: async (subject, seconds) => {
      events.addressBanned(subject, seconds);
      await audit.loginsBanned(subject, seconds).catch((error: unknown) => events.operationFailed('audit', error));
    },
  });
  const isExempt = createNetworkList(config.SFTP_BAN_EXEMPT);
  const bans = createLoginBans({ redis, scope, countNetwork });
  return {
    throttle: exemptNetworks(tolerateOutage(counting, events.throttleBroke), isExempt),
    /** The bans of all services, for administrators. */
    bans: joinLoginBans(throttleScopes.map((door) => createLoginBans({ redis, scope: door, countNetwork }))),
    admission: {
      isExempt,
      isBanned: async (address: string): Promise<boolean> => {
        if (isExempt(address)) return false;
        return bans.isBanned(address).catch((error: unknown) => {
          events.throttleBroke(error);
          return false;
        });
      },
    },
  };
}
