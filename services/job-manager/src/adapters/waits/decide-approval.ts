import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { JobId } from '@waybill/contracts/values/job-id';
import type { Transaction } from '@waybill/postgres/database';
import type { Decider } from '../../domain/jobs/job-register.ts';
import { approverNames } from '../../domain/jobs/waiting-approval.ts';
import { type Decision, describeDecision } from '../../domain/queues/step-wait.ts';
import { lockApproval, storeDecision } from './waiting-jobs.ts';

/**
 * Stores the decision of a user about a job that waits for an approval, and lets the job go on. False: it waits for none, or at another step.
 * @throws CodedError `approval_not_permitted`
 */
export async function decideApproval(
  trx: Transaction,
  id: JobId,
  decision: Decision['decision'],
  { userName, roles, reason, step }: Decider,
): Promise<boolean> {
  const wait = await lockApproval(trx, id);
  if (!wait || (step !== undefined && step !== wait.step)) return false;
  const names = approverNames({ userName, roles });
  if (!wait.approvers.some((approver) => names.includes(approver))) {
    throw new CodedError('approval_not_permitted', { names: { job: String(id) } });
  }
  const decided = { decision, by: userName, reason: reason ?? '' };
  await storeDecision(trx, id, { step: wait.step, decided, message: describeDecision(decided) });
  return true;
}
