import {
  beginSecondFactorEndpoint,
  confirmSecondFactorEndpoint,
  findSecondFactorEndpoint,
  removeSecondFactorEndpoint,
  renewRecoveryCodesEndpoint,
} from '@waybill/contracts/endpoints/access/second-factor-endpoints';
import type { SecondFactorApi } from '../../page-kit/second-factor/second-factor-api.ts';
import { callEndpoint } from './call-endpoint.ts';
import { sendEndpoint } from './send-endpoint.ts';

/** The second factors of manager users. */
export const secondFactorApi: SecondFactorApi = {
  endsSessions: true,
  find: (signal) => callEndpoint(findSecondFactorEndpoint, { signal }),
  begin: (body) => sendEndpoint(beginSecondFactorEndpoint, { body }),
  confirm: async (body) => (await sendEndpoint(confirmSecondFactorEndpoint, { body })).recoveryCodes,
  renewRecoveryCodes: async (body) => (await sendEndpoint(renewRecoveryCodesEndpoint, { body })).recoveryCodes,
  remove: (body) => sendEndpoint(removeSecondFactorEndpoint, { body }),
};
