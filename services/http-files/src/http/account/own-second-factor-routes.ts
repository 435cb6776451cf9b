import {
  beginOwnSecondFactorEndpoint,
  confirmOwnSecondFactorEndpoint,
  findOwnSecondFactorEndpoint,
  removeOwnSecondFactorEndpoint,
  renewOwnRecoveryCodesEndpoint,
} from '@waybill/contracts/endpoints/files/account/own-second-factor-endpoints';
import { bindEndpoint } from '@waybill/http-kit/routing/bind-endpoint';
import { bindSessionEndpoint } from '@waybill/http-kit/routing/bind-session-endpoint';
import type { Authenticator, Route } from '@waybill/http-kit/routing/route';
import type { AccountHolder } from '../../domain/access/caller.ts';
import type { OwnSecondFactor } from '../../domain/account/own-second-factor.ts';
import { fileResult } from '../file-result.ts';

/** Nothing on the way may keep a secret. */
const headers = { 'cache-control': 'no-store' };

/** The endpoints of second factors. */
export function createOwnSecondFactorRoutes(
  own: OwnSecondFactor,
  authenticateAccount: Authenticator<AccountHolder>,
): Route[] {
  return [
    bindSessionEndpoint(findOwnSecondFactorEndpoint, authenticateAccount, async ({ principal: { user } }) => {
      const { state, rule } = await own.find(user);
      const { since, recoveryCodesLeft = 0 } = state ?? {};
      const [available, required] = [rule !== 'off', rule === 'required'];
      const active = state !== undefined;
      return {
        status: 200,
        body: { available, active, required, since: since?.toISOString() ?? null, recoveryCodesLeft },
      };
    }),
    bindEndpoint(beginOwnSecondFactorEndpoint, async ({ body: { username: userName, password }, clientAddress }) => ({
      status: 201,
      headers,
      body: await own.begin({ userName, password, clientAddress }),
    })),
    bindEndpoint(confirmOwnSecondFactorEndpoint, async ({ body: { username: userName, ...proof }, clientAddress }) => {
      const recoveryCodes = [...(await own.confirm({ userName, ...proof, clientAddress }))];
      return { status: 200, headers, body: { recoveryCodes } };
    }),
    bindEndpoint(renewOwnRecoveryCodesEndpoint, async ({ body: { username: userName, ...proof }, clientAddress }) => {
      const recoveryCodes = [...(await own.renewRecoveryCodes({ userName, ...proof, clientAddress }))];
      return { status: 200, headers, body: { recoveryCodes } };
    }),
    bindEndpoint(removeOwnSecondFactorEndpoint, async ({ body: { username: userName, ...proof }, clientAddress }) => {
      await own.remove({ userName, ...proof, clientAddress });
      return { status: 200, body: fileResult('Second factor removed') };
    }),
  ];
}
