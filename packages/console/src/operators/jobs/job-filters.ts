import type { JobView } from '@waybill/contracts/endpoints/jobs/job';
import { listJobsEndpoint } from '@waybill/contracts/endpoints/jobs/list-jobs';
import { jobStatusSchema } from '@waybill/contracts/values/job-status';
import { findFaultyFilters } from '../address/faulty-filters.tsx';
import type { Filters } from '../address/use-filters.ts';
import { callEndpoint } from '../api/call-endpoint.ts';
import { cursorOf } from '../api/pages.ts';
import type { CursorPage } from '../lists/use-cursor-rows.ts';

/** The filters of the list of jobs, by their names in the interface and in the address of the page. */
export const jobFilterNames = [
  'id',
  'status',
  'queue',
  'contract',
  'contractAction',
  'actor',
  'submittedBy',
  'workflowTemplateName',
  'dfiid',
  'extIPID',
  'createdAtFrom',
  'createdAtTo',
  'updatedAtFrom',
  'updatedAtTo',
  'queuePart',
  'contractPart',
  'contractActionPart',
  'actorPart',
  'submittedByPart',
  'workflowTemplateNamePart',
] as const;

/** The name of a filter. */
export type JobFilterName = (typeof jobFilterNames)[number];

/** The filters that are set. */
export type JobFilters = Filters<JobFilterName>;

/** Jobs of one page. */
export const jobPageSize = 100;

/** Those of the filters that no job can match. */
export function findFaultyJobFilters(filters: JobFilters): readonly string[] {
  return findFaultyFilters(listJobsEndpoint.query, filters);
}

/** Filters without faulty ones, as the interface takes them. @throws ZodError with an unknown status */
export function requestedFilter({ status, ...others }: JobFilters) {
  return { ...others, ...(status !== undefined && { status: jobStatusSchema.parse(status) }) };
}

/** Reads a page of jobs, newest first. */
export async function listJobs(
  filters: JobFilters,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<CursorPage<JobView>> {
  const query = { ...requestedFilter(filters), maxItems: jobPageSize, cursor };
  const { jobs, next } = await callEndpoint(listJobsEndpoint, { query, signal });
  return { rows: jobs, next: cursorOf(next) };
}
