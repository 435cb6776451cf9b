import { tokenPairSchema } from '@waybill/contracts/endpoints/access/token-pair';
import { createHttpClient, type HttpRequestOptions, type HttpResponse } from '@waybill/test-kit/create-http-client';
import { expectStatus } from './expect-status.ts';
import type { Itinerary } from './itinerary.ts';
import type { Narrator } from './narrator.ts';
import { refusedPassword } from './passwords.ts';

/** Sends a request with the administrator's bearer token. */
export type AdminRequest = (
  method: string,
  path: string,
  options?: Omit<HttpRequestOptions, 'bearer'>,
) => Promise<HttpResponse>;

/** Logs in as the demo's administrator. */
export async function logInAsAdmin(
  { admin, audit, gateway, passwords }: Itinerary,
  narrator: Narrator,
): Promise<AdminRequest> {
  const client = createHttpClient(admin);
  const others = [
    { prefix: '/platform-application/api/v1/audit/', client: createHttpClient(audit) },
    { prefix: '/platform-application/api/v1/infrastructure/', client: createHttpClient(gateway) },
  ];
  const clientFor = (path: string) => others.find(({ prefix }) => path.startsWith(prefix))?.client ?? client;
  const { accessToken } = await narrator.step(
    'admin logs in',
    async () => {
      const json = { username: 'admin', password: passwords.admin.password };
      const answer = await client.post('/platform-application/api/v1/auth/login', { json });
      if (answer.status === 401) throw refusedPassword('admin', passwords.admin);
      return tokenPairSchema.parse(expectStatus(answer, 200).json());
    },
    ({ tokenType, expiresIn }) => `a ${tokenType} token for ${expiresIn / 60} minutes`,
  );
  return (method, path, options) => clientFor(path).request(method, path, { ...options, bearer: accessToken });
}
