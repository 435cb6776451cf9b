import { type ApprovalView, listApprovalsEndpoint } from '@waybill/contracts/endpoints/jobs/list-approvals';
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

/** Reads a page of approvals, by the number of the job. An address may have been written by hand: an unknown choice is left out. */
export async function listApprovals(
  { mayDecide, ...others }: ApprovalFilters,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<CursorPage<ApprovalView>> {
  const known = choiceSchema.safeParse(mayDecide).data;
  const query = { ...others, mayDecide: known, maxItems: approvalPageSize, cursor };
  const { approvals, next } = await callEndpoint(listApprovalsEndpoint, { query, signal });
  return { rows: approvals, next: cursorOf(next) };
}
