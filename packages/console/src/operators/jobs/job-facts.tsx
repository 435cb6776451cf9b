import type { JobDetailView } from '@waybill/contracts/endpoints/jobs/job-detail';
import type { ReactNode } from 'react';
import { Link } from 'react-aria-components';
import { formatTime } from '../../page-kit/format/format-time.ts';
import { texts } from '../texts/texts.ts';
import { Values } from './values.tsx';

const { jobs } = texts;

/** What is known of a job besides its steps. */
export function JobFacts({ job }: { readonly job: JobDetailView }) {
  const { contractActionWorkflowInstance: workflow, waitingFor, dfic } = job;
  const facts: readonly (readonly [string, ReactNode])[] = [
    [jobs.contract, `${job.contract} / ${job.contractAction}`],
    [jobs.workflow, `${workflow.workflowTemplateName}, ${jobs.revision(workflow.workflowTemplateRevision)}`],
    [jobs.trigger, job.contractActionTrigger],
    [jobs.actor, job.actor],
    [jobs.queue, job.queue],
    [jobs.submittedBy, job.submittedBy],
    [jobs.submitted, <time dateTime={job.createdAt}>{formatTime(job.createdAt)}</time>],
    [jobs.changed, <time dateTime={job.updatedAt}>{formatTime(job.updatedAt)}</time>],
    [jobs.waits, waitingFor && waitInWords(waitingFor)],
    [jobs.file, dfic.original_virtualpath],
    [jobs.dfiid, <Link href={`/jobs?dfiid=${encodeURIComponent(dfic.dfiid)}`}>{dfic.dfiid}</Link>],
    [jobs.extIPID, job.extIPID],
    [jobs.webhooks, <Link href={`/webhooks?job=${job.id}`}>{jobs.showWebhooks}</Link>],
    [
      jobs.repeats,
      job.resubmissionOf !== undefined && (
        <Link href={`/jobs/${job.resubmissionOf}`}>{jobs.jobTitle(String(job.resubmissionOf))}</Link>
      ),
    ],
  ];
  return (
    <section aria-label={jobs.facts}>
      <dl className="facts">
        {facts.map(
          ([name, value]) =>
            value !== undefined &&
            value !== false && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      <Values title={jobs.workflowOutputs} values={job.outputs ?? {}} />
    </section>
  );
}

function waitInWords({ message, until, ahead }: NonNullable<JobDetailView['waitingFor']>): string {
  const details = [
    until === undefined ? '' : jobs.until(formatTime(until)),
    ahead === undefined ? '' : jobs.ahead(ahead),
  ];
  return [message, ...details.filter((text) => text !== '')].join(' · ');
}
