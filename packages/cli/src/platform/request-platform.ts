import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import type { EndpointArguments, EndpointResult } from '@waybill/platform-client/requests/endpoint-call';
import { openPlatform, type PlatformChoice } from './open-platform.ts';

/** Plans of large configurations take minutes. */
const timeoutMs = 600_000;

/**
 * Calls an endpoint of the management interfaces, once, on the platform that the command names, and returns the body of the answer.
 * @throws UsageError if no platform is named; PlatformError if it cannot be reached, or refuses
 */
export async function requestPlatform<E extends EndpointContract>(
  { values, env }: PlatformChoice,
  endpoint: E,
  ...request: EndpointArguments<E>
): Promise<EndpointResult<E>['body']> {
  await using client = await openPlatform({ values, env }, { side: 'manager', timeoutMs });
  const { body } = await client.call(endpoint, ...request);
  return body;
}
