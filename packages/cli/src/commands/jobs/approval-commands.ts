import { approveJobEndpoint, rejectJobEndpoint } from '@waybill/contracts/endpoints/jobs/decide-approval';
import { listApprovalsEndpoint } from '@waybill/contracts/endpoints/jobs/list-approvals';
import type { Command } from '../../command.ts';
import { platformOptions } from '../../platform/open-platform.ts';
import { flagOption, givenTexts, jobNumber, jsonOption, textOption } from '../../platform/option-values.ts';
import { printOne, printRows } from '../../platform/print-rows.ts';
import { printable } from '../../platform/render-table.ts';
import { requestPlatform } from '../../platform/request-platform.ts';

/** The number of approvals that are listed. */
const listedAtMost = 1_000;

/** Lists the jobs that wait for an approval. */
export const listApprovalsCommand: Command = {
  summary: 'Lists the jobs that wait for an approval.',
  examples: ['waybill approval list --mine'],
  options: {
    ...platformOptions,
    actor: textOption('name', 'Only jobs of contracts of this actor.'),
    contract: textOption('name', 'Only jobs of this contract.'),
    action: textOption('name', 'Only jobs of this action.'),
    step: textOption('name', 'Only jobs that wait at this step.'),
    mine: flagOption('Only those that you may decide.'),
    json: jsonOption,
  },
  run: async (invocation) => {
    const { values, out } = invocation;
    const { action: contractAction, ...filters } = givenTexts(values, ['actor', 'contract', 'action', 'step']);
    const mayDecide = values['mine'] === true ? 'true' : undefined;
    const query = { ...filters, contractAction, mayDecide, maxItems: listedAtMost } as const;
    const { approvals, next } = await requestPlatform(invocation, listApprovalsEndpoint, { query });
    printRows(invocation, approvals, [
      ['JOB', ({ job }) => String(job)],
      ['CONTRACT', ({ contract, contractAction: action }) => `${contract}/${action}`],
      ['STEP', ({ step }) => step],
      ['APPROVERS', ({ approvers }) => approvers.join(', ')],
      ['QUESTION', ({ question }) => question],
    ]);
    if (values['json'] !== true && next !== undefined) out(`These are the first ${listedAtMost}.`);
  },
};

/** Approves what a job waits for. */
export const approveCommand = decisionCommand(approveJobEndpoint, {
  summary: 'Approves what a job waits for at a step with `wait-for-approval`, as the user of the access token.',
  done: 'approved',
  example: `waybill approval approve 245 --step four-eyes --reason 'seen and checked'`,
});

/** Rejects what a job waits for. */
export const rejectCommand = decisionCommand(rejectJobEndpoint, {
  summary:
    'Rejects what a job waits for at a step with `wait-for-approval`, as the user of the access token. The step fails, unless it goes on after a rejection.',
  done: 'rejected',
  example: `waybill approval reject 245 --reason 'the totals are wrong'`,
});

function decisionCommand(
  endpoint: typeof approveJobEndpoint | typeof rejectJobEndpoint,
  { summary, done, example }: Pick<Command, 'summary'> & { readonly done: string; readonly example: string },
): Command {
  return {
    summary,
    examples: [example],
    arguments: { job: 'The number of the job that waits.' },
    options: {
      ...platformOptions,
      step: textOption('name', 'The step, where the job waits at several.'),
      reason: textOption('text', 'Why; it is recorded in the audit log.'),
      json: jsonOption,
    },
    run: async (invocation) => {
      const { positionals, values } = invocation;
      const request = { params: { id: jobNumber(positionals[0]) }, query: givenTexts(values, ['reason', 'step']) };
      const job = await requestPlatform(invocation, endpoint, request);
      printOne(invocation, job, [printable(`job ${job.id} of ${job.contract}/${job.contractAction} is ${done}`)]);
    },
  };
}
