import { changeJobsEndpoint } from '@waybill/contracts/endpoints/jobs/change-jobs';
import { listJobsEndpoint } from '@waybill/contracts/endpoints/jobs/list-jobs';
import type { JobStatus } from '@waybill/contracts/values/job-status';
import { callEndpoint } from '../api/call-endpoint.ts';
import type { EndpointRequest, EndpointResult } from '../api/endpoint-types.ts';
import { cursorOf } from '../api/pages.ts';
import { texts } from '../texts/texts.ts';
import { type JobFilters, requestedFilter } from './job-filters.ts';

/** What can be done to jobs. */
export const changeOperations = ['abort', 'resume', 'resubmit'] as const;

/** What can be done to a job in a status. Resubmitting one that runs, or is in error, aborts it first, if the user wants that. */
export function operationsFor(status: JobStatus): readonly ChangeOperation[] {
  const isDone = status === 'COMPLETED' || status === 'ABORTED';
  const isAllowed = {
    abort: !isDone,
    resume: status === 'SUSPENDED' || status === 'ERROR',
    resubmit: isDone || status === 'RUNNING' || status === 'ERROR',
  };
  return changeOperations.filter((operation) => isAllowed[operation]);
}

/** What is done to jobs. */
export type ChangeOperation = (typeof changeOperations)[number];

/** The jobs: some by number, or all that match filters. */
export type ChangeTarget = { readonly ids: readonly number[] } | { readonly filters: JobFilters };

/** Jobs that are changed at once, at most. */
export const changedAtMost = 10_000;

/** A change of jobs. */
export interface JobChange {
  readonly operation: ChangeOperation;
  readonly target: ChangeTarget;
  /** The jobs that a dry run has found to be changed: only these are changed. Absent: this is the dry run. */
  readonly expected?: readonly ChangeResult[];
  readonly reason: string;
  readonly latest: boolean;
  /** Whether what is resubmitted is aborted first. */
  readonly abortsFirst: boolean;
  /** The same for each try of one resubmission, so that it creates no second jobs. */
  readonly identifier: string;
}

/** What became of a job, or would become. */
export type ChangeResult = EndpointResult<typeof changeJobsEndpoint>['results'][number];

/** Jobs that one request looks at. */
const limit = 100;

/** Jobs that one request counts. */
const countedAtOnce = 1_000;

/**
 * Does something to the jobs that a dry run has found, or tells what it would do to those that match, to `changedAtMost` at most.
 * Calls back with the results as they arrive. Returns whether more match: none is changed then. @throws RequestFailure
 */
export async function changeJobs(
  change: JobChange,
  onResults: (results: readonly ChangeResult[]) => void,
  signal: AbortSignal,
): Promise<{ readonly isCut: boolean }> {
  if (await areTooMany(change, signal)) return { isCut: true };
  let count = 0;
  for (const part of partsOf(change)) {
    const missing = new Map(part.expected?.map((one) => [one.id, one]));
    let cursor: string | undefined;
    do {
      signal.throwIfAborted();
      const { results, next } = await callEndpoint(changeJobsEndpoint, { body: bodyOf(change, part, cursor), signal });
      onResults(results);
      for (const { id } of results) missing.delete(id);
      count += results.length;
      cursor = next;
      if (change.expected === undefined && count >= changedAtMost && cursor !== undefined) return { isCut: true };
    } while (cursor !== undefined);
    onResults([...missing.values()].map((one) => ({ ...one, statusCode: 404, message: texts.jobs.removed(one.id) })));
  }
  return { isCut: false };
}

/** Whether more jobs match than a dry run looks at. Their pages tell that much faster than a look at each. */
async function areTooMany({ target, expected }: JobChange, signal: AbortSignal): Promise<boolean> {
  if (expected !== undefined || !('filters' in target)) return false;
  const filter = requestedFilter(target.filters);
  let count = 0;
  let cursor: string | undefined;
  do {
    const query = { ...filter, maxItems: countedAtOnce, cursor };
    const { jobs, next } = await callEndpoint(listJobsEndpoint, { query, signal });
    count += jobs.length;
    cursor = cursorOf(next);
  } while (cursor !== undefined && count <= changedAtMost);
  return count > changedAtMost;
}

type Body = EndpointRequest<typeof changeJobsEndpoint>['body'];

/** A part of a change that one request can ask for. */
type ChangePart = Pick<Body, 'filter'> & { readonly expected?: readonly ChangeResult[] };

function partsOf({ target, expected }: JobChange): readonly ChangePart[] {
  if ('ids' in target) {
    const parts = target.ids.map((id) => ({ filter: { id } }));
    if (expected === undefined) return parts;
    return expected.map((one) => ({ filter: { id: one.id }, expected: [one] }));
  }
  const filter = requestedFilter(target.filters);
  if (expected === undefined) return [{ filter }];
  const parts: ChangePart[] = [];
  for (let from = 0; from < expected.length; from += limit)
    parts.push({ filter, expected: expected.slice(from, from + limit) });
  return parts;
}

function bodyOf(change: JobChange, { filter, expected }: ChangePart, cursor: string | undefined): Body {
  const { operation, reason, latest, abortsFirst, identifier } = change;
  return {
    operation: operation === 'resubmit' && abortsFirst ? 'abort-and-resubmit' : operation,
    dryRun: expected === undefined,
    filter,
    limit,
    ...(expected && { expected: expected.map(({ id, status }) => ({ id, status })) }),
    ...(reason.trim() !== '' && { reason: reason.trim() }),
    ...(latest && operation !== 'abort' && { revision: 'latest' as const }),
    ...(operation === 'resubmit' && expected && { extIPID: identifier }),
    ...(cursor !== undefined && { cursor }),
  };
}

/** A new identifier of a resubmission. */
export function newIdentifier(): string {
  return `console-${[...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
