import { findPartnerSecondFactor } from '@waybill/access/second-factors/second-factors';
import type { AccessRule } from '@waybill/contracts/endpoints/administration/access-rule';
import type { Permission } from '@waybill/contracts/values/permission';
import type { Location } from '@waybill/directory/access/mounts';
import { explainAccess, type AccessQuestion, type OtherRules } from '@waybill/directory/explain/explain-access';
import { findReachedLimit, type Addition } from '@waybill/filebox/limits/find-reached-limit';
import { createLoginBans } from '@waybill/login-throttle/create-login-bans';
import { whomOf } from '@waybill/login-throttle/whom-of';
import type { Database } from '@waybill/postgres/database';
import type { RedisConnection } from '@waybill/redis/connect-redis';
import { createNetworkCounter } from '@waybill/service-kit/network/counted-network';
import type { ExplainAccess } from '../../domain/administration/administration.ts';

/** What `explainWithLimits` reads. */
export interface ExplanationSources {
  /** With the rights of the operator. */
  readonly db: Database;
  /** Where the servers store their bans. */
  readonly redis: RedisConnection;
  readonly ipv6PrefixBits: number;
}

/** Explains by the configuration, the bans after failed logins, and the limits of the virtual file systems. */
export function explainWithLimits({ db, redis, ipv6PrefixBits }: ExplanationSources): ExplainAccess {
  const countNetwork = createNetworkCounter(ipv6PrefixBits);
  const bans = {
    SFTP: createLoginBans({ redis, scope: 'sftp', countNetwork }),
    HTTP: createLoginBans({ redis, scope: 'http', countNetwork }),
  } as const;
  const others: OtherRules = {
    hasSecondFactor: async (user) => (await findPartnerSecondFactor(db, user)) !== undefined,
    judgeAddress: async (address, { user, protocol }: AccessQuestion): Promise<AccessRule[]> => {
      const ban = await bans[protocol].find({ userName: user, clientAddress: address });
      const why = ban
        ? `Failed logins: ${ban.address} is banned for ${whomOf(ban)} until ${ban.until.toISOString()}`
        : `${address} is not banned`;
      return [{ rule: 'address', name: address, allows: ban === undefined, why }];
    },
    judgeLimits: async ({ vfs, path }: Location, operation: Permission): Promise<AccessRule[]> => {
      const kind = added[operation];
      const reached = kind && (await findReachedLimit(db, vfs.id, { kind, path }));
      return reached ? [{ rule: 'limit', name: vfs.name, allows: false, why: reached.message }] : [];
    },
  };
  return (question) => explainAccess(db, question, others);
}

const added: Readonly<Partial<Record<Permission, Addition['kind']>>> = { upload: 'file', createFolder: 'folder' };
