import type { CallEndpoint } from '../requests/endpoint-call.ts';

/** Headers that identify the caller. */
export type IdentifyingHeaders = Readonly<Record<string, string>>;

/** With what a client identifies itself. */
export interface Credentials {
  /** The headers of the next request. `call` reaches endpoints that need no login. */
  headers(call: CallEndpoint): Promise<IdentifyingHeaders>;
  /** Other headers after the platform has refused these; `undefined` if there are none. */
  renew(refused: IdentifyingHeaders, call: CallEndpoint): Promise<IdentifyingHeaders | undefined>;
}

/** An access token that something else renews. */
export function accessToken(token: string): Credentials {
  return {
    headers: async () => ({ authorization: `Bearer ${token}` }),
    renew: async () => undefined,
  };
}
