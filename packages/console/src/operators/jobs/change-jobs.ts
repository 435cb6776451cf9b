import { changeJobsEndpoint } from '@waybill/contracts/endpoints/jobs/change-jobs';
import { callEndpoint } from '../api/call-endpoint.ts';
import type { EndpointRequest, EndpointResult } from '../api/endpoint-types.ts';
import { type JobFilters, requestedFilter } from './job-filters.ts';

/** What can be done to jobs. */
export const changeOperations = ['abort', 'resume', 'resubmit'] as const;

/** What is done to jobs. */
export type ChangeOperation = (typeof changeOperations)[number];

/** The jobs: some by number, or all that match filters. */
export type ChangeTarget = { readonly ids: readonly number[] } | { readonly filters: JobFilters };

/** A change of jobs. */
export interface JobChange {
  readonly operation: ChangeOperation;
  readonly target: ChangeTarget;
  /** Only tells what would change. */
  readonly dryRun: boolean;
  readonly reason: string;
  readonly latest: boolean;
  /** The same for each try of one resubmission, so that it creates no second jobs. */
  readonly identifier: string;
}

/** What became of a job, or would become. */
export type ChangeResult = EndpointResult<typeof changeJobsEndpoint>['results'][number];

/** Jobs that one request looks at. */
const limit = 100;

/** Does something to jobs, or tells what it would do; calls back with the results as they arrive. @throws RequestFailure */
export async function changeJobs(
  change: JobChange,
  onResults: (results: readonly ChangeResult[]) => void,
  signal: AbortSignal,
): Promise<void> {
  const { target } = change;
  const filters = 'ids' in target ? target.ids.map((id) => ({ id })) : [requestedFilter(target.filters)];
  for (const filter of filters) {
    let cursor: string | undefined;
    do {
      signal.throwIfAborted();
      const { results, next } = await callEndpoint(changeJobsEndpoint, {
        body: bodyOf(change, filter, cursor),
        signal,
      });
      onResults(results);
      cursor = next;
    } while (cursor !== undefined);
  }
}

type Body = EndpointRequest<typeof changeJobsEndpoint>['body'];

function bodyOf(change: JobChange, filter: Body['filter'], cursor: string | undefined): Body {
  const { operation, dryRun, reason, latest, identifier } = change;
  return {
    operation,
    dryRun,
    filter,
    limit,
    ...(reason.trim() !== '' && { reason: reason.trim() }),
    ...(latest && operation !== 'abort' && { revision: 'latest' as const }),
    ...(operation === 'resubmit' && !dryRun && { extIPID: identifier }),
    ...(cursor !== undefined && { cursor }),
  };
}

/** A new identifier of a resubmission. */
export function newIdentifier(): string {
  return `console-${[...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
