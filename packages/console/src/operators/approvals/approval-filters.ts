import { type ApprovalView, listApprovalsEndpoint } from '@waybill/contracts/endpoints/jobs/list-approvals';
import { findFaultyFilters } from '../address/faulty-filters.tsx';
import type { Filters } from '../address/use-filters.ts';
import { callEndpoint } from '../api/call-endpoint.ts';
import { cursorOf } from '../api/pages.ts';
import type { CursorPage } from '../lists/use-cursor-rows.ts';

/** The filters of the list of approvals, by their names in the interface and in the address of the page. */
export const approvalFilterNames = ['mayDecide', 'actor', 'contract', 'contractAction', 'step', 'job'] as const;

/** The name of a filter. */
export type ApprovalFilterName = (typeof approvalFilterNames)[number];

/** The filters that are set. */
export type ApprovalFilters = Filters<ApprovalFilterName>;

const choiceSchema = listApprovalsEndpoint.query.shape.mayDecide;

/** Approvals of one page. */
export const approvalPageSize = 100;

/** Those of the filters that no approval can match. */
export function findFaultyApprovalFilters(filters: ApprovalFilters): readonly string[] {
  return findFaultyFilters(listApprovalsEndpoint.query, filters);
}

/** Reads a page of approvals, by the number of the job. @throws ZodError with an unknown choice */
export async function listApprovals(
  { mayDecide, ...others }: ApprovalFilters,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<CursorPage<ApprovalView>> {
  const query = { ...others, mayDecide: choiceSchema.parse(mayDecide), maxItems: approvalPageSize, cursor };
  const { approvals, next } = await callEndpoint(listApprovalsEndpoint, { query, signal });
  return { rows: approvals, next: cursorOf(next) };
}
