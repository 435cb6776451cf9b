import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import type { z } from 'zod';
import type { Invocation } from '../command.ts';
import { openPlatform } from '../platform/open-platform.ts';

export { platformOptions } from '../platform/open-platform.ts';

const timeoutMs = 600_000;

/**
 * Sends a JSON request to the platform that the command names: by `--url` and `--token`, or by a context, which needs `env`.
 * @throws UsageError if no platform is named; PlatformError if it cannot be reached, or refuses
 */
export async function requestPlatform<S extends z.ZodType>(
  { values, env = {} }: Pick<Invocation, 'values'> & Partial<Pick<Invocation, 'env'>>,
  request: { readonly method: string; readonly path: string; readonly body?: object; readonly response: S },
): Promise<z.infer<S>> {
  await using client = await openPlatform({ values, env }, { side: 'manager', timeoutMs });
  const { body } = await client.call(contractOf(request), { body: request.body });
  return request.response.parse(body);
}

/** An endpoint whose address is complete: nothing in it is a parameter. */
function contractOf({ method, path, response }: { method: string; path: string; response: z.ZodType }) {
  const answer = { description: '', body: { kind: 'json', schema: response } } as const;
  return {
    id: `${method} ${path}`,
    tag: '',
    method: method as EndpointContract['method'],
    path: path.replaceAll(':', '%3A').replaceAll('*', '%2A') as `/${string}`,
    summary: '',
    authentication: { kind: 'bearer' },
    body: { kind: 'json', schema: response },
    responses: { 200: answer, 201: answer, 202: answer, 204: { description: '', body: { kind: 'none' } } },
    errors: [],
  } satisfies EndpointContract;
}
