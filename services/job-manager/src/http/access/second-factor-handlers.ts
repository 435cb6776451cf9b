import {
  beginSecondFactorEndpoint,
  confirmSecondFactorEndpoint,
  findManagerSecondFactorEndpoint,
  findSecondFactorEndpoint,
  removeSecondFactorEndpoint,
  renewRecoveryCodesEndpoint,
  resetSecondFactorEndpoint,
} from '@waybill/contracts/endpoints/access/second-factor-endpoints';
import { bindEndpoint } from '@waybill/http-kit/routing/bind-endpoint';
import type { Route } from '@waybill/http-kit/routing/route';
import type { OwnSecondFactors } from '../../domain/access/manage-second-factors.ts';

/** Nothing on the way may keep a secret. */
const headers = { 'cache-control': 'no-store' };

/** The endpoints of second factors. */
export function createSecondFactorRoutes(secondFactors: OwnSecondFactors): Route[] {
  return [
    bindEndpoint(findSecondFactorEndpoint, async ({ principal }) => {
      const { state, isRequired: required, isAvailable: available } = await secondFactors.find(principal.userName);
      const { since, recoveryCodesLeft = 0 } = state ?? {};
      return {
        status: 200,
        body: {
          available,
          active: state !== undefined,
          required,
          since: since?.toISOString() ?? null,
          recoveryCodesLeft,
        },
      };
    }),
    bindEndpoint(beginSecondFactorEndpoint, async ({ body: { username: userName, password }, clientAddress }) => ({
      status: 201,
      headers,
      body: await secondFactors.begin({ userName, password, clientAddress }),
    })),
    bindEndpoint(confirmSecondFactorEndpoint, async ({ body: { username: userName, ...proof }, clientAddress }) => {
      const recoveryCodes = [...(await secondFactors.confirm({ userName, ...proof, clientAddress }))];
      return { status: 200, headers, body: { recoveryCodes } };
    }),
    bindEndpoint(renewRecoveryCodesEndpoint, async ({ body: { username: userName, ...proof }, clientAddress }) => {
      const recoveryCodes = [...(await secondFactors.renewRecoveryCodes({ userName, ...proof, clientAddress }))];
      return { status: 200, headers, body: { recoveryCodes } };
    }),
    bindEndpoint(removeSecondFactorEndpoint, async ({ body: { username: userName, ...proof }, clientAddress }) => {
      await secondFactors.remove({ userName, ...proof, clientAddress });
      return { status: 204 };
    }),
    bindEndpoint(findManagerSecondFactorEndpoint, async ({ params }) => {
      const state = await secondFactors.look(params.name);
      return { status: 200, body: { active: state !== undefined, since: state?.since.toISOString() ?? null } };
    }),
    bindEndpoint(resetSecondFactorEndpoint, async ({ params, principal }) => {
      await secondFactors.reset(principal, params.name);
      return { status: 204 };
    }),
  ];
}
