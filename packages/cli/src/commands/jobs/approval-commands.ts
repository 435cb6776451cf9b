import { jobSchema } from '@waybill/contracts/endpoints/jobs/job';
import { type ApprovalView, listApprovalsEndpoint } from '@waybill/contracts/endpoints/jobs/list-approvals';
import { type Command, UsageError } from '../../command.ts';
import { platformOptions, requestPlatform } from '../request-platform.ts';

const text = { type: 'string' } as const;

/** The number of approvals that are listed. */
const listedAtMost = 1_000;

/** Lists the jobs that wait for an approval. */
export const listApprovalsCommand: Command = {
  summary: 'Lists the jobs that wait for an approval.',
  usage: '[--actor <name>] [--contract <name>] [--action <name>] [--step <name>] [--mine] [--json]',
  positionals: [],
  options: {
    ...platformOptions,
    actor: text,
    contract: text,
    action: text,
    step: text,
    mine: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  run: async ({ values, out, env }) => {
    const { action, mine, json } = values;
    const query = queryOf(
      {
        ...values,
        contractAction: action,
        ...(mine === true && { mayDecide: 'true' }),
        maxItems: String(listedAtMost),
      },
      ['actor', 'contract', 'contractAction', 'step', 'mayDecide', 'maxItems'],
    );
    const { method, path, responses } = listApprovalsEndpoint;
    const { approvals, next } = await requestPlatform(
      { values, env },
      { method, path: `${path}?${query}`, response: responses[200].body.schema },
    );
    for (const approval of approvals) out(json === true ? JSON.stringify(approval) : describeApproval(approval));
    if (json === true) return;
    if (approvals.length === 0) out('There are none.');
    else if (next !== undefined) out(`These are the first ${listedAtMost}.`);
  },
};

function describeApproval({ job, contract, contractAction, step, message, approvers }: ApprovalView): string {
  return `${job}  ${contract}/${contractAction}  step ${step}  ${approvers.join(', ')}  ${JSON.stringify(message)}`;
}

function queryOf(values: Readonly<Record<string, unknown>>, names: readonly string[]): string {
  const query = new URLSearchParams();
  for (const name of names) {
    const value = values[name];
    if (typeof value === 'string') query.set(name, value);
  }
  return query.toString();
}

/** Approves what a job waits for. */
export const approveCommand = decisionCommand('approve', {
  summary: 'Approves what a job waits for at a step with `wait-for-approval`, as the user of the access token.',
  done: 'approved',
});

/** Rejects what a job waits for. */
export const rejectCommand = decisionCommand('reject', {
  summary:
    'Rejects what a job waits for at a step with `wait-for-approval`, as the user of the access token. The step fails, unless it goes on after a rejection.',
  done: 'rejected',
});

function decisionCommand(
  decision: 'approve' | 'reject',
  { summary, done }: { readonly summary: string; readonly done: string },
): Command {
  return {
    summary,
    usage: '<job> [--step <name>] [--reason <text>]',
    positionals: ['job'],
    options: { ...platformOptions, step: text, reason: text },
    run: async ({ positionals: [id = ''], values, out, env }) => {
      if (!/^[1-9]\d{0,15}$/u.test(id)) throw new UsageError(`${id} is not the number of a job`);
      const query = queryOf(values, ['reason', 'step']);
      const job = await requestPlatform(
        { values, env },
        { method: 'POST', path: `/job-manager/jobs/${id}/${decision}?${query}`, response: jobSchema },
      );
      out(`job ${job.id} of ${job.contract}/${job.contractAction} is ${done}`);
    },
  };
}
