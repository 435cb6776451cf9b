import { listJobHistoryEndpoint } from '@waybill/contracts/endpoints/jobs/list-job-history';
import type { Directory } from '@waybill/directory/directory';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import { reachesJob, unknownJob } from '../../domain/jobs/job-reach.ts';
import type { JobChange, JobRegister } from '../../domain/jobs/job-register.ts';

/** The history of one job, page by page. `basePath` is the context path that links begin with. */
export function createListJobHistoryHandler({
  register,
  directory,
  basePath,
}: {
  readonly register: Pick<JobRegister, 'find' | 'historyPage'>;
  readonly directory: Pick<Directory, 'findActor'>;
  readonly basePath: string;
}): EndpointHandler<typeof listJobHistoryEndpoint> {
  return async ({ params: { id }, query: { maxItems, order, cursor }, actors }) => {
    const job = await register.find(id);
    if (!job || !(await reachesJob(directory, job, actors))) throw unknownJob(id);
    // One more shows whether another page follows.
    const read = await register.historyPage(id, { limit: maxItems + 1, order, after: cursor });
    const changes = read.slice(0, maxItems);
    const last = changes.at(-1);
    const query = `maxItems=${maxItems}&order=${order}&cursor=${last?.id ?? ''}`;
    const path = listJobHistoryEndpoint.path.replace(':id', String(id));
    return {
      status: 200,
      body: {
        history: changes.map((change) => ({ id: change.id, ...presentChange(change) })),
        ...(read.length > maxItems && { next: `${basePath}${path}?${query}` }),
      },
    };
  };
}

/** A change of a job's status as the interface shows it. */
export function presentChange({ at, from, to, transition, by, message }: JobChange) {
  return { at: at.toISOString(), from: from ?? null, to, transition, by, message };
}
