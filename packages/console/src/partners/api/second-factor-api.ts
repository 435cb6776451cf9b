import type { SecondFactorApi, SecondFactorView } from '../../page-kit/second-factor/second-factor-api.ts';
import { requestFiles } from './request-files.ts';
import { sendRequest } from './send-request.ts';

const path = '/2.0/account/second-factor';

const post = (address: string, body: object) =>
  sendRequest(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

const codesOf = async (response: Promise<Response>): Promise<readonly string[]> =>
  ((await (await response).json()) as { readonly recoveryCodes: readonly string[] }).recoveryCodes;

/** The second factors of partners. */
export const secondFactorApi: SecondFactorApi = {
  endsSessions: false,
  find: async (signal) => (await (await requestFiles(path, { signal })).json()) as SecondFactorView,
  begin: async (proof) => (await (await post(path, proof)).json()) as { secret: string; uri: string },
  confirm: (proof) => codesOf(post(`${path}/confirm`, proof)),
  renewRecoveryCodes: (proof) => codesOf(post(`${path}/recovery-codes`, proof)),
  remove: async (proof) => void (await post(`${path}/remove`, proof)),
};
