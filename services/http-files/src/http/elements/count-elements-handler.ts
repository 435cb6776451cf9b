import type { countElementsEndpoint } from '@waybill/contracts/endpoints/files/elements/count-elements';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import type { SessionHandler } from '@waybill/http-kit/routing/bind-session-endpoint';
import type { Caller } from '../../domain/access/caller.ts';
import type { CountElements } from '../../domain/elements/count-elements.ts';

/** D8. */
export function createCountElementsHandler(ports: {
  countElements: CountElements;
}): SessionHandler<typeof countElementsEndpoint, Caller> {
  return async ({ params, query, principal: caller }) => ({
    status: 200,
    body: await ports.countElements(caller.mounts, parseVirtualPath(params.path), query),
  });
}
