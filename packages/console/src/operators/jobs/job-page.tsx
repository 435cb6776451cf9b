import { useQuery } from '@tanstack/react-query';
import { findJobEndpoint } from '@waybill/contracts/endpoints/jobs/find-job';
import { useState } from 'react';
import { callEndpoint } from '../api/call-endpoint.ts';
import { usePermissions } from '../api/permissions.ts';
import { unlessRefused } from '../api/refusals.ts';
import { PageFrame, ReadFailure } from '../frame/page-frame.tsx';
import type { PageProps } from '../frame/page.ts';
import { useLiveJobs } from '../live/use-live-jobs.ts';
import { texts } from '../texts/texts.ts';
import { ChangeButtons } from './change-buttons.tsx';
import { isOver } from './is-over.ts';
import { JobFacts } from './job-facts.tsx';
import { JobHistory } from './job-history.tsx';
import { JobStatusBadge } from './status-badge.tsx';
import { StepGraph } from './step-graph.tsx';

const { jobs } = texts;

/** While a job has not ended, its steps change without a change of its status. */
const refreshStepsEveryMs = 1_000;

/** One job: its steps, its history, and what can be done to it. */
export function JobPage({ params: { id = '' } }: PageProps) {
  const refreshEveryMs = useLiveJobs();
  const [itemsFrom, setItemsFrom] = useState(0);
  const mayChange = usePermissions().may('jobs:write');
  const { data: job, error } = useQuery({
    queryKey: ['jobs', 'one', id, itemsFrom],
    queryFn: ({ signal }) =>
      callEndpoint(findJobEndpoint, { params: { id }, query: { itemsFrom, history: 'none' }, signal }),
    refetchInterval: (query) =>
      unlessRefused(isOver(query.state.data?.status) ? refreshEveryMs : refreshStepsEveryMs)(query),
    placeholderData: (last) => (String(last?.id) === id ? last : undefined),
  });
  return (
    <PageFrame
      title={jobs.jobTitle(id)}
      actions={
        job !== undefined &&
        mayChange && (
          <div className="buttons">
            <ChangeButtons target={{ ids: [job.id] }} status={job.status} />
          </div>
        )
      }
    >
      <ReadFailure error={error} isRead={job !== undefined} unknown={jobs.unknown(id)} />
      {job === undefined && error === null && <p role="status">{texts.loading}</p>}
      {job !== undefined && (
        <>
          <p className="state" role="status">
            <JobStatusBadge status={job.status} /> {job.statusMessage}
          </p>
          <JobFacts job={job} />
          <StepGraph job={job} itemsFrom={itemsFrom} onItemsFrom={setItemsFrom} />
          <JobHistory id={job.id} refreshEveryMs={refreshEveryMs} />
        </>
      )}
    </PageFrame>
  );
}
