import type { JobDetailView } from '@waybill/contracts/endpoints/jobs/job-detail';
import type { ReactNode } from 'react';
import { Link } from 'react-aria-components';
import { formatExactTime } from '../../page-kit/format/format-time.ts';
import { OutsideText } from '../../page-kit/outside-text/outside-text.tsx';
import { usePermissions } from '../api/permissions.ts';
import { OptionalLink } from '../frame/optional-link.tsx';
import { texts } from '../texts/texts.ts';
import { filePathOf } from './file-path.ts';
import { Values } from './values.tsx';

const { jobs } = texts;

/** What is known of a job besides its steps. */
export function JobFacts({ job }: { readonly job: JobDetailView }) {
  const facts = useFacts(job);
  return (
    <section aria-label={jobs.facts}>
      <dl className="facts">
        {facts.map(
          ([name, value]) =>
            value !== undefined &&
            value !== false && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{typeof value === 'string' ? <OutsideText text={value} /> : value}</dd>
              </div>
            ),
        )}
      </dl>
      <Values title={jobs.workflowOutputs} values={job.outputs ?? {}} />
    </section>
  );
}

/** The facts in their order, with links to what the user may see. */
function useFacts(job: JobDetailView): readonly (readonly [name: string, value: ReactNode])[] {
  const { contractActionWorkflowInstance: workflow, waitingFor, dfic, actor } = job;
  const { workflowTemplateName: template, workflowTemplateRevision: revision } = workflow;
  const { may, mayForAll } = usePermissions();
  const maySeeSettings = may('configuration:read');
  const settings = (collection: string, name: string, { text = name, scope = '' } = {}) => (
    <OptionalLink
      href={`/configuration/${collection}/${encodeURIComponent(name)}${scope}`}
      // Templates and queues belong to no actor.
      isLink={collection === 'contracts' ? maySeeSettings : mayForAll('configuration:read')}
      text={text}
    />
  );
  const file = filePathOf(dfic);
  const scope = `?${new URLSearchParams({ actor }).toString()}`;
  return [
    [jobs.contract, settings('contracts', job.contract, { text: `${job.contract} / ${job.contractAction}`, scope })],
    [
      jobs.workflow,
      <>
        {settings('workflow-templates', template)},{' '}
        {settings('workflow-templates', template, { text: jobs.revision(revision), scope: `?revision=${revision}` })}
      </>,
    ],
    [jobs.trigger, triggerInWords(job.contractActionTrigger)],
    [jobs.actor, <OptionalLink href={`/partners/${encodeURIComponent(actor)}`} isLink={maySeeSettings} text={actor} />],
    [jobs.queue, settings('queues', job.queue)],
    [jobs.submittedBy, job.submittedBy],
    [jobs.submitted, <time dateTime={job.createdAt}>{formatExactTime(job.createdAt)}</time>],
    [jobs.changed, <time dateTime={job.updatedAt}>{formatExactTime(job.updatedAt)}</time>],
    [jobs.waits, waitingFor && waitInWords(waitingFor)],
    [jobs.file, file],
    [jobs.dfiid, <Dataflow id={dfic.dfiid} hasFile={file !== undefined} />],
    [jobs.extIPID, job.extIPID],
    [jobs.webhooks, <Link href={`/webhooks?job=${job.id}`}>{jobs.showWebhooks}</Link>],
    [
      jobs.repeats,
      job.resubmissionOf !== undefined && (
        <Link href={`/jobs/${job.resubmissionOf}`}>{jobs.jobTitle(String(job.resubmissionOf))}</Link>
      ),
    ],
  ];
}

/** The dataflow of a job, and what else is known of it; `hasFile`: it began with one. */
function Dataflow({ id, hasFile }: { readonly id: string; readonly hasFile: boolean }) {
  const { may, mayForAll } = usePermissions();
  const value = encodeURIComponent(id);
  return (
    <>
      <OutsideText text={id} /> <Link href={`/jobs?dfiid=${value}`}>{jobs.dataflowJobs}</Link>
      {hasFile && (may('activity:read') || mayForAll('audit:read')) && (
        <>
          {' · '}
          <Link href={`/files/${value}`}>{jobs.story}</Link>
        </>
      )}
      {mayForAll('audit:read') && (
        <>
          {' · '}
          <Link href={`/audit?dfiid=${value}`}>{jobs.records}</Link>
        </>
      )}
    </>
  );
}

function triggerInWords(trigger: string): string {
  return Object.entries(jobs.triggers).find(([name]) => name === trigger)?.[1] ?? trigger;
}

function waitInWords({ message, until, ahead }: NonNullable<JobDetailView['waitingFor']>): string {
  const details = [
    until === undefined ? '' : jobs.until(formatExactTime(until)),
    ahead === undefined ? '' : jobs.ahead(ahead),
  ];
  return [message, ...details.filter((text) => text !== '')].join(' · ');
}
