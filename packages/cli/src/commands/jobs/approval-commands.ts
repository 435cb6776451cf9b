import { approveJobEndpoint, rejectJobEndpoint } from '@waybill/contracts/endpoints/jobs/decide-approval';
import { type ApprovalView, listApprovalsEndpoint } from '@waybill/contracts/endpoints/jobs/list-approvals';
import type { Command } from '../../command.ts';
import { platformOptions } from '../../platform/open-platform.ts';
import { flagOption, givenTexts, jobNumber, textOption } from '../../platform/option-values.ts';
import { printOne } from '../../platform/print-rows.ts';
import { printable } from '../../platform/render-table.ts';
import { requestPlatform } from '../../platform/request-platform.ts';

/** The number of approvals that are listed. */
const listedAtMost = 1_000;

/** Lists the jobs that wait for an approval. */
export const listApprovalsCommand: Command = {
  summary: 'Lists the jobs that wait for an approval.',
  usage: '[--actor <name>] [--contract <name>] [--action <name>] [--step <name>] [--mine] [--json]',
  examples: ['waybill approval list --mine'],
  positionals: [],
  options: {
    ...platformOptions,
    actor: textOption,
    contract: textOption,
    action: textOption,
    step: textOption,
    mine: flagOption,
    json: flagOption,
  },
  run: async ({ values, out, env }) => {
    const { mine, json } = values;
    const { action: contractAction, ...filters } = givenTexts(values, ['actor', 'contract', 'action', 'step']);
    const mayDecide = mine === true ? 'true' : undefined;
    const query = { ...filters, contractAction, mayDecide, maxItems: listedAtMost } as const;
    const { approvals, next } = await requestPlatform({ values, env }, listApprovalsEndpoint, { query });
    for (const approval of approvals) out(json === true ? JSON.stringify(approval) : describeApproval(approval));
    if (json === true) return;
    if (approvals.length === 0) out('There are none.');
    else if (next !== undefined) out(`These are the first ${listedAtMost}.`);
  },
};

function describeApproval({ job, contract, contractAction, step, question, approvers }: ApprovalView): string {
  return `${job}  ${contract}/${contractAction}  step ${step}  ${approvers.join(', ')}  ${JSON.stringify(question)}`;
}

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
    usage: '<job> [--step <name>] [--reason <text>] [--json]',
    examples: [example],
    positionals: ['job'],
    options: { ...platformOptions, step: textOption, reason: textOption, json: flagOption },
    run: async (invocation) => {
      const { positionals, values } = invocation;
      const request = { params: { id: jobNumber(positionals[0]) }, query: givenTexts(values, ['reason', 'step']) };
      const job = await requestPlatform(invocation, endpoint, request);
      printOne(invocation, job, [printable(`job ${job.id} of ${job.contract}/${job.contractAction} is ${done}`)]);
    },
  };
}
