import { randomUUID } from 'node:crypto';
import { composeAuditEvent, type AuditedFact } from '@waybill/contracts/messages/audit-catalogue';
import type { AuditEvent } from '@waybill/contracts/messages/audit-event';
import { withCurrentClient } from '@waybill/outbox/append-messages';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Transaction } from '@waybill/postgres/database';
import type { JobSite } from '../../config.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { NewJob } from '../../domain/jobs/new-job.ts';

/** What is audited of a job. */
export type JobFact = Extract<AuditedFact, `job${string}`>;

/** Who did it and why. */
export interface JobDeed {
  readonly user: string;
  /** The reason that the user gave; of a failure, what has failed. */
  readonly reason?: string | undefined;
  /** How the revision of the workflow changes. */
  readonly revisionChange?: string | undefined;
}

/** How a job came to be, for the audit log. */
export interface JobCreation extends Omit<JobDeed, 'user'> {
  readonly fact: Extract<JobFact, 'jobSubmitted' | 'jobResubmitted'>;
}

/**
 * The audit event of a job whose number is not known yet. The number joins the parts of `message`, and is the
 * `entityId`.
 */
export function auditedCreation(
  site: JobSite,
  job: NewJob,
  { fact, ...deed }: JobCreation,
): { audited: Omit<AuditEvent, 'entityId' | 'auditMessage'>; message: readonly string[] } {
  const { entityId, auditMessage, ...audited } = composeJobEvent(
    site,
    fact,
    { ...job, id: placeOfNumber },
    { user: job.submittedBy, ...deed },
  );
  return { audited, message: auditMessage.split(entityId) };
}

/** Stands for the number of a job. No name contains it. */
const placeOfNumber = randomUUID();

/** Audits what happened to a job, as part of the transaction in which it happens. */
export async function auditJob(
  transaction: Transaction,
  site: JobSite,
  fact: JobFact,
  job: Job,
  deed: JobDeed,
): Promise<void> {
  await appendToOutbox(transaction, [{ topic: 'audit-event', payload: composeJobEvent(site, fact, job, deed) }]);
}

function composeJobEvent(
  site: JobSite,
  fact: JobFact,
  job: (Job | NewJob) & { readonly id: number | string },
  { user, reason, revisionChange }: JobDeed,
): AuditEvent {
  const change = revisionChange === undefined ? '' : ` ${revisionChange}`;
  const given = reason === undefined ? change : `${change}: ${reason}`;
  const event = composeAuditEvent(fact, {
    user,
    nodeId: site.nodeName,
    managerName: site.managerName,
    entityType: 'Job',
    entityName: `${job.contract}/${job.contractAction}`,
    entityId: String(job.id),
    dfiid: job.dfic.dfiid,
    names: {
      trigger: triggerOf(job),
      former: String(job.resubmissionOf ?? ''),
      reason: fact === 'jobFailed' ? (reason ?? '') : given,
    },
    context: { reason },
  });
  return withCurrentClient(event);
}

function triggerOf(job: Job | NewJob): string {
  const { contractActionTrigger: trigger } = job;
  if (!('submittedIn' in job) || job.submittedIn === undefined) return trigger;
  return `${trigger} in step '${job.submittedIn.step}' of job ${job.submittedIn.job}`;
}
