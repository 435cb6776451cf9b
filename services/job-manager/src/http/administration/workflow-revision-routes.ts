import {
  findWorkflowRevisionEndpoint,
  listWorkflowRevisionsEndpoint,
} from '@waybill/contracts/endpoints/administration/workflow-revision-endpoints';
import type { AppliedRevision } from '@waybill/directory/queries/list-revisions';
import { bindEndpoint } from '@waybill/http-kit/routing/bind-endpoint';
import type { Route } from '@waybill/http-kit/routing/route';
import type { Administration } from '../../domain/administration/administration.ts';

/** The endpoints of the revisions of workflow templates. */
export function createWorkflowRevisionRoutes({
  listRevisions,
  readRevision,
}: Pick<Administration, 'listRevisions' | 'readRevision'>): Route[] {
  return [
    bindEndpoint(listWorkflowRevisionsEndpoint, async ({ params: { name }, query: { maxItems, cursor } }) => {
      const revisions = await listRevisions(name, { before: cursor, limit: maxItems + 1 });
      const last = revisions.length > maxItems ? revisions[maxItems - 1] : undefined;
      const items = revisions.slice(0, maxItems).map(presentRevision);
      return { status: 200, body: { items, ...(last && { next: linkTo(name, { maxItems, cursor: last.revision }) }) } };
    }),
    bindEndpoint(findWorkflowRevisionEndpoint, async ({ params }) => {
      const { name, document, ...revision } = await readRevision(params.name, params.revision);
      return { status: 200, body: { name, ...presentRevision(revision), document } };
    }),
  ];
}

function presentRevision({ revision, current, appliedAt, appliedBy }: AppliedRevision) {
  return { revision, current, appliedAt: appliedAt.toISOString(), appliedBy };
}

function linkTo(name: string, page: { readonly maxItems: number; readonly cursor: number }): string {
  const path = listWorkflowRevisionsEndpoint.path.replace(':name', encodeURIComponent(name));
  return `${path}?maxItems=${page.maxItems}&cursor=${page.cursor}`;
}
