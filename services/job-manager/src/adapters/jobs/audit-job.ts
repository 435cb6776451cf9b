import { composeAuditEvent, type AuditedFact } from '@waybill/contracts/messages/audit-catalogue';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Transaction } from '@waybill/postgres/database';
import type { JobSite } from '../../config.ts';
import type { Job } from '../../domain/jobs/job.ts';

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

/** Audits what happened to a job, as part of the transaction in which it happens. */
export async function auditJob(
  transaction: Transaction,
  site: JobSite,
  fact: JobFact,
  job: Job,
  { user, reason, revisionChange }: JobDeed,
): Promise<void> {
  const change = revisionChange === undefined ? '' : ` ${revisionChange}`;
  const given = reason === undefined ? change : `${change}: ${reason}`;
  const payload = composeAuditEvent(fact, {
    user,
    nodeId: site.nodeName,
    managerName: site.managerName,
    entityType: 'Job',
    entityName: `${job.contract}/${job.contractAction}`,
    entityId: String(job.id),
    dfiid: job.dfic.dfiid,
    names: {
      trigger: job.contractActionTrigger,
      former: String(job.resubmissionOf ?? ''),
      reason: fact === 'jobFailed' ? (reason ?? '') : given,
    },
  });
  await appendToOutbox(transaction, [{ topic: 'audit-event', payload }]);
}
