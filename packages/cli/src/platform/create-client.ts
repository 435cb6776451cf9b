import { releaseVersion } from '@waybill/contracts/values/release-version';
import {
  type ClientOptions,
  createClient as createAnyClient,
  type PlatformClient,
} from '@waybill/platform-client/create-client';

/** Makes the client of a command, which names `waybill` as the program. Dispose of it. */
export function createClient(options: ClientOptions): PlatformClient {
  return createAnyClient({ ...options, userAgent: `waybill/${releaseVersion}` });
}
