import { listApprovalsEndpoint } from '@waybill/contracts/endpoints/jobs/list-approvals';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import { nextLink } from '@waybill/http-kit/routing/next-link';
import { approverNames, type ListApprovals } from '../../domain/jobs/waiting-approval.ts';

/** The jobs that wait for an approval. `basePath` is the context path that links begin with. */
export function createListApprovalsHandler({
  listApprovals,
  basePath,
}: {
  listApprovals: ListApprovals;
  basePath: string;
}): EndpointHandler<typeof listApprovalsEndpoint> {
  return async ({ query, principal, actors }) => {
    const { maxItems, cursor, mayDecide, ...filters } = query;
    const by = approverNames(principal);
    const decidable = mayDecide && { by, is: mayDecide === 'true' };
    const { approvals, next } = await listApprovals({ ...filters, actors, decidable, after: cursor, limit: maxItems });
    const shown = approvals.map(({ since, approvers, ...approval }) => ({
      ...approval,
      approvers: [...approvers],
      mayDecide: approvers.some((name) => by.includes(name)),
      since: since.toISOString(),
    }));
    const link = nextLink(`${basePath}${listApprovalsEndpoint.path}`, query, next);
    return { status: 200, body: { approvals: shown, ...link } };
  };
}
