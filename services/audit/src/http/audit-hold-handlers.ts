import {
  listAuditHoldsEndpoint,
  type placeAuditHoldEndpoint,
  type releaseAuditHoldEndpoint,
} from '@waybill/contracts/endpoints/audit-logs/audit-hold-endpoints';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import { nextLink } from '@waybill/http-kit/routing/next-link';
import type { Holds } from '../domain/retention/holds.ts';

/** The handlers of legal holds. */
export interface AuditHoldHandlers {
  readonly list: EndpointHandler<typeof listAuditHoldsEndpoint>;
  readonly place: EndpointHandler<typeof placeAuditHoldEndpoint>;
  readonly release: EndpointHandler<typeof releaseAuditHoldEndpoint>;
}

/** Creates the handlers. */
export function createAuditHoldHandlers({ holds }: { holds: Holds }): AuditHoldHandlers {
  return {
    list: async ({ query: { limit, cursor } }) => {
      const { holds: page, next } = await holds.list({ limit, after: cursor });
      return { status: 200, body: { holds: [...page], ...nextLink(listAuditHoldsEndpoint.path, { limit }, next) } };
    },
    place: async ({ body, principal: { userName } }) => ({ status: 200, body: await holds.place(body, userName) }),
    release: async ({ params, body, principal: { userName } }) => ({
      status: 200,
      body: await holds.release(params.id, { user: userName, reason: body.reason }),
    }),
  };
}
