import { tokenPairSchema } from '@waybill/contracts/endpoints/access/token-pair';
import { createHttpClient, type HttpRequestOptions, type HttpResponse } from '@waybill/test-kit/create-http-client';
import { expectStatus } from './expect-status.ts';
import type { Narrator } from './narrator.ts';

/** Sends a request with the administrator's bearer token. */
export type AdminRequest = (
  method: string,
  path: string,
  options?: Omit<HttpRequestOptions, 'bearer'>,
) => Promise<HttpResponse>;

/** Logs in as the demo's administrator. */
export async function logInAsAdmin(
  { address, password }: { readonly address: string; readonly password: string },
  narrator: Narrator,
): Promise<AdminRequest> {
  const client = createHttpClient(address);
  const { accessToken } = await narrator.step(
    'admin logs in',
    async () => {
      const json = { username: 'admin', password };
      const answer = await client.post('/platform-application/api/v1/auth/login', { json });
      return tokenPairSchema.parse(expectStatus(answer, 200).json());
    },
    ({ tokenType, expiresIn }) => `a ${tokenType} token for ${expiresIn / 60} minutes`,
  );
  return (method, path, options) => client.request(method, path, { ...options, bearer: accessToken });
}
