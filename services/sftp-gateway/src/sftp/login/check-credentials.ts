import type { PartnerSecondFactors } from '@waybill/directory/accounts/partner-second-factors';
import type { Directory } from '@waybill/directory/directory';
import { judgeLogin } from '@waybill/login-throttle/judge-login';
import type { LoginThrottle } from '@waybill/login-throttle/login-throttle';
import type { GatewayEvents } from '../../events.ts';
import type { AuthenticationPorts } from './authenticate-connection.ts';
import { findUserByKey } from './find-user-by-key.ts';
import type { LegacyUse } from './legacy-use.ts';

/** Checks credentials for the logins of one connection. */
export function checkCredentials(options: {
  readonly directory: Pick<Directory, 'verifyPartnerPassword' | 'findPartnerUser' | 'recordKeyUse'>;
  readonly secondFactors: PartnerSecondFactors;
  readonly throttle: LoginThrottle;
  readonly events: GatewayEvents;
  readonly clientAddress: string;
  readonly legacy: LegacyUse;
}): Pick<AuthenticationPorts, 'secondFactors' | 'judge' | 'findByPassword' | 'findByKey' | 'keyUsed'> {
  const { directory, secondFactors, throttle, events, clientAddress, legacy } = options;
  return {
    secondFactors,
    judge: (userName, find) => judgeLogin(throttle, { userName, clientAddress }, find),
    findByPassword: (userName, password) => directory.verifyPartnerPassword(userName, password, clientAddress),
    findByKey: async (userName, key) => {
      const holder = await findUserByKey(directory, userName, { key, clientAddress });
      if (holder !== undefined && key.withSha1) legacy.signedWithSha1();
      return holder;
    },
    keyUsed: ({ user, key }) => {
      directory.recordKeyUse(user, key).catch((error: unknown) => events.operationFailed('record-key-use', error));
    },
  };
}
