import {
  type ClientOptions,
  createClient as createAnyClient,
  type PlatformClient,
} from '@waybill/platform-client/create-client';
import { release } from '@waybill/platform-client/requests/release';

/** Makes the client of a command, which names `waybill` as the program. Dispose of it. */
export function createClient(options: ClientOptions): PlatformClient {
  return createAnyClient({ ...options, userAgent: `waybill/${release}` });
}
