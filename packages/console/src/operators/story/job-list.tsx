import { useQuery } from '@tanstack/react-query';
import type { JobDetailView } from '@waybill/contracts/endpoints/jobs/job-detail';
import { useState } from 'react';
import { Link } from 'react-aria-components';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';
import { Failure } from '../frame/page-frame.tsx';
import { JobStatusBadge } from '../jobs/status-badge.tsx';
import { StepGraph } from '../jobs/step-graph.tsx';
import { texts } from '../texts/texts.ts';
import { readJobs } from './read-story.ts';

const { story } = texts;

const refreshEveryMs = 1_500;

/** Jobs whose steps are open at first; of more, each is opened by the user. */
const openAtMost = 5;

/** The jobs of a dataflow instance with their steps: copies and deliveries are among these. */
export function JobList({ dfiid }: { readonly dfiid: string }) {
  const { data, error } = useQuery({
    queryKey: ['story', 'jobs', dfiid],
    queryFn: ({ signal }) => readJobs(dfiid, signal),
    refetchInterval: refreshEveryMs,
  });
  return (
    <section aria-label={story.jobs}>
      <div className="page-head">
        <h2>{story.jobs}</h2>
        <Link href={`/jobs?dfiid=${encodeURIComponent(dfiid)}`}>{story.allJobs}</Link>
      </div>
      <Failure error={error} isRead={data !== undefined} />
      {data?.jobs.length === 0 && <p className="quiet">{story.noJobs}</p>}
      {data?.isCut === true && <p className="quiet">{story.firstJobs(data.jobs.length)}</p>}
      {data?.jobs.map((job) => (
        <OneJob key={job.id} job={job} isOpenAtFirst={data.jobs.length <= openAtMost} />
      ))}
    </section>
  );
}

function OneJob({ job, isOpenAtFirst }: { readonly job: JobDetailView; readonly isOpenAtFirst: boolean }) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {texts.jobs.jobTitle(String(job.id))}: {job.contract} / {job.contractAction}{' '}
        <JobStatusBadge status={job.status} />
      </summary>
      {isOpen && (
        <>
          <p>
            <Link href={`/jobs/${job.id}`}>{story.showJob}</Link> <OutsideText text={job.statusMessage} />
          </p>
          <StepGraph job={job} itemsFrom={1} onItemsFrom={() => undefined} />
        </>
      )}
    </details>
  );
}
