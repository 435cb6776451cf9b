import { type JobView, jobSchema } from '@waybill/contracts/endpoints/jobs/job';
import { auditRecordSchema } from '@waybill/contracts/values/audit-record';
import { waitFor } from '@waybill/test-kit/wait-for';
import { z } from 'zod';
import type { Delivery } from './deliver-invoice.ts';
import { expectStatus } from './expect-status.ts';
import type { AdminRequest } from './log-in-as-admin.ts';
import type { Narrator } from './narrator.ts';

/** Who reads, and which delivery. */
export interface ReadRecordOptions {
  admin: AdminRequest;
  delivery: Delivery;
}

const expectedOperations = ['SERVER_LOGIN', 'SERVER_UPLOAD_FILE', 'SERVER_DOWNLOAD_FILE'];

/** The traces of the delivery: its job, and the audit records with the same dataflow. */
export async function readRecord({ admin, delivery }: ReadRecordOptions, narrator: Narrator): Promise<void> {
  const job = await narrator.step(
    'GET /job-manager/jobs shows the job COMPLETED, with its dataflow',
    () => waitFor(() => findCompletedJob(admin, delivery), { what: 'the job to be COMPLETED' }),
    ({ id, dfic }) => `job ${id}, dfiid ${dfic.dfiid}`,
  );
  await narrator.step(
    'The audit log shows the login, and upload and download with the same dataflow',
    () => waitFor(() => findOperations(admin, delivery, job), { what: expectedOperations.join(', ') }),
    (operations) => operations.join(', '),
  );
}

async function findCompletedJob(admin: AdminRequest, { startedAt }: Delivery): Promise<JobView | undefined> {
  const query = {
    contract: 'invoices',
    contractAction: 'compress-on-arrival',
    createdAtFrom: startedAt.toISOString(),
    status: 'COMPLETED',
    maxItems: 1,
  };
  const answer = expectStatus(await admin('GET', '/job-manager/jobs', { query }), 200);
  return z.object({ jobs: z.array(jobSchema) }).parse(answer.json()).jobs[0];
}

/** The expected operations once all of them are in the audit log. */
async function findOperations(
  admin: AdminRequest,
  { startedAt }: Delivery,
  { dfic }: JobView,
): Promise<string[] | undefined> {
  const q = `{dataoneUser="acme",fromAuditTime="${startedAt.toISOString()}"}`;
  const query = { page: 0, limit: 100, sort: '-auditTime', q };
  const answer = expectStatus(await admin('GET', '/platform-application/api/v1/audit/logs', { query }), 200);
  const recorded = z
    .array(auditRecordSchema)
    .parse(answer.json())
    .filter(({ auditOperation, dfiid }) => auditOperation === 'SERVER_LOGIN' || dfiid === dfic.dfiid);
  const isRecorded = (operation: string) => recorded.some(({ auditOperation }) => auditOperation === operation);
  return expectedOperations.every(isRecorded) ? expectedOperations : undefined;
}
