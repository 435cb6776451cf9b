import type { explainAccessEndpoint } from '@waybill/contracts/endpoints/administration/explain-access';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { ExplainAccess } from '../../domain/administration/administration.ts';

/** Explains whether a user may do something. */
export function createExplainAccessHandler({
  explain,
}: {
  readonly explain: ExplainAccess;
}): EndpointHandler<typeof explainAccessEndpoint> {
  return async ({ body: { cluster: _cluster, server: _server, ...question }, body, actors }) => {
    const { allowed, server, rules } = await explain({ ...body, actors });
    const place = server && { cluster: server.cluster, server: server.name };
    return { status: 200, body: { ...question, ...place, allowed, rules: [...rules] } };
  };
}
