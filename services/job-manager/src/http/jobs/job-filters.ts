import type { ActorScope } from '@waybill/access/principal';
import type { JobListQuery } from '@waybill/contracts/endpoints/jobs/list-jobs';
import type { JobQuery } from '../../domain/jobs/job-query.ts';

/** Filters as a request has them. */
export type RequestedFilters = Omit<JobListQuery, 'maxItems' | 'sort' | 'cursor'>;

/** The same with times as such, for a caller who is limited to these actors. */
export function filtersOf(requested: RequestedFilters, actors: ActorScope): JobQuery['filters'] {
  const { createdAtFrom, createdAtTo, updatedAtFrom, updatedAtTo, ...filters } = requested;
  return {
    ...filters,
    actors,
    createdAtFrom: timeOf(createdAtFrom),
    createdAtTo: timeOf(createdAtTo),
    updatedAtFrom: timeOf(updatedAtFrom),
    updatedAtTo: timeOf(updatedAtTo),
  };
}

function timeOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}
