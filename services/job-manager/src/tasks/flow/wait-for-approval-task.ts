import { CodedError } from '@waybill/contracts/errors/coded-error';
import { waitForApprovalSpecification } from '@waybill/contracts/tasks/wait-specifications';
import { describeDecision, type Decision } from '../../domain/queues/step-wait.ts';
import { defineTask } from '../define-task.ts';
import { isWaitOver, shownTime } from './wait-tasks.ts';

/** Waits for the decision of a user. */
export const waitForApprovalTask = defineTask({
  ...waitForApprovalSpecification,
  run: async ({ message, approvers, seconds, otherwise, onRejection }, { waiting, log }) => {
    const { until, decided: given } = waiting.state ?? { until: new Date(Date.now() + seconds * 1_000) };
    if (!given && !isWaitOver(until)) {
      const shown = `Waiting for approval, at most until ${shownTime(until)}: ${message}`;
      waiting.suspend({ kind: 'approval', until, approvers, message: shown, question: message });
    }
    const decided = given ?? decideByLimit(otherwise);
    log(describeDecision(decided));
    if (decided.decision === 'rejected' && onRejection === 'error') {
      throw new CodedError('validation_failed', { detail: describeDecision(decided) });
    }
    return { ...decided };
  },
});

/** @throws CodedError `job_step_failed` if the step fails then */
function decideByLimit(otherwise: 'error' | Decision['decision']): Decision {
  if (otherwise === 'error') throw new CodedError('job_step_failed', { detail: 'no user has decided in time' });
  return { decision: otherwise, by: '', reason: '' };
}
