import type { ActorScope } from '@waybill/access/principal';
import { jobSortFields, listJobsEndpoint, type JobListQuery } from '@waybill/contracts/endpoints/jobs/list-jobs';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { JobQuery } from '../../domain/jobs/job-query.ts';
import type { JobRegister } from '../../domain/jobs/job-register.ts';
import { decodeJobCursor, encodeJobCursor } from './job-cursor.ts';
import { filtersOf } from './job-filters.ts';
import { presentJob } from './present-job.ts';

/** B2. `basePath` is the context path that links begin with; empty, or as in `/ghibli-rest/v2`. */
export function createListJobsHandler(parts: {
  register: Pick<JobRegister, 'list'>;
  basePath: string;
}): EndpointHandler<typeof listJobsEndpoint> {
  const { register, basePath } = parts;
  return async ({ query, actors }) => {
    const { jobs, next } = await register.list(queryOf(query, actors));
    return {
      status: 200,
      body: {
        jobs: jobs.map(presentJob),
        ...(next && { next: linkTo(basePath, { ...query, cursor: encodeJobCursor(next) }) }),
      },
    };
  };
}

function queryOf({ maxItems, sort, cursor, ...rest }: JobListQuery, actors: ActorScope): JobQuery {
  const field = jobSortFields.find((name) => name === sort.replace(/^[+-]/u, '')) ?? 'id';
  return {
    filters: filtersOf(rest, actors),
    sort: { field, descending: sort.startsWith('-') },
    after: cursor === undefined ? undefined : decodeJobCursor(cursor, field),
    limit: maxItems,
  };
}

/** The same listing from another place on: every parameter again, so that the link is complete in itself. */
function linkTo(basePath: string, query: JobListQuery): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value));
  return `${basePath}${listJobsEndpoint.path}?${parameters.toString()}`;
}
