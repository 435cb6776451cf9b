import { randomUUID } from 'node:crypto';
import { abortJobEndpoint } from '@waybill/contracts/endpoints/jobs/abort-job';
import type { JobView } from '@waybill/contracts/endpoints/jobs/job';
import { resubmitJobEndpoint } from '@waybill/contracts/endpoints/jobs/resubmit-job';
import { resumeJobEndpoint } from '@waybill/contracts/endpoints/jobs/resume-job';
import { submitJobEndpoint } from '@waybill/contracts/endpoints/jobs/submit-job';
import { z } from 'zod';
import { type Command, type Invocation, UsageError } from '../../command.ts';
import { openPlatform, platformOptions } from '../../platform/open-platform.ts';
import { choiceOf, flagOption, givenTexts, jobNumber, textOption } from '../../platform/option-values.ts';
import { printOne } from '../../platform/print-rows.ts';
import { watchJob } from './watch-jobs.ts';

const options = { ...platformOptions, json: flagOption };
const revisions = ['same', 'latest'] as const;

/** Submits a job. */
export const submitJobCommand: Command = {
  summary: 'Submits a job of an OnDemand action. With `--id` the command can be repeated: it submits one job.',
  usage: '<contract> <action> [--variables <json>] [--id <identifier>] [--watch] [--json]',
  examples: [
    `waybill jobs submit invoices write-report --variables '{"name":"march","text":"All are in."}'`,
    'waybill jobs submit invoices write-report --id march-2026 --watch',
  ],
  positionals: ['contract', 'action'],
  options: { ...options, variables: textOption, id: textOption, watch: flagOption },
  run: async (invocation) => {
    const [contractName = '', actionName = ''] = invocation.positionals;
    const { id: extIPID = randomUUID() } = givenTexts(invocation.values, ['id']);
    const body = { contractName, actionName, actionVariables: variablesOf(invocation), extIPID };
    await using client = await openPlatform(invocation, { side: 'manager' });
    const answer = await client.call(submitJobEndpoint, { body });
    show(
      invocation,
      answer.body,
      answer.status === 201 ? 'is submitted' : `was submitted before: ${answer.body.status}`,
    );
    if (invocation.values['watch'] === true) await watchJob(invocation, client, answer.body.id);
  },
};

function variablesOf({ values: { variables } }: Invocation): Record<string, unknown> {
  if (typeof variables !== 'string') return {};
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(variables));
  } catch {
    throw new UsageError('--variables is not a JSON object');
  }
}

/** Aborts a job. */
export const abortJobCommand: Command = {
  summary: 'Aborts a job that has not ended; a running step is interrupted.',
  usage: '<job> [--reason <text>] [--json]',
  examples: ["waybill jobs abort 245 --reason 'wrong file'"],
  positionals: ['job'],
  options: { ...options, reason: textOption },
  run: async (invocation) => {
    const id = jobNumber(invocation.positionals[0]);
    await using client = await openPlatform(invocation, { side: 'manager' });
    const query = givenTexts(invocation.values, ['reason']);
    show(invocation, (await client.call(abortJobEndpoint, { params: { id }, query })).body, 'is aborted');
  },
};

/** Resumes a job. */
export const resumeJobCommand: Command = {
  summary: 'Resumes a job in ERROR at its failed step, or one that is SUSPENDED.',
  usage: '<job> [--reason <text>] [--revision same|latest] [--json]',
  examples: ['waybill jobs resume 245', "waybill jobs resume 245 --revision latest --reason 'workflow corrected'"],
  positionals: ['job'],
  options: { ...options, reason: textOption, revision: textOption },
  choices: { revision: revisions },
  run: async (invocation) => {
    const id = jobNumber(invocation.positionals[0]);
    await using client = await openPlatform(invocation, { side: 'manager' });
    const { body } = await client.call(resumeJobEndpoint, { params: { id }, query: changeOf(invocation) });
    show(invocation, body, `is resumed: ${body.status}`);
  },
};

/** Resubmits a job. */
export const resubmitJobCommand: Command = {
  summary:
    'Runs an ended job again, as a new job with the same variables and file; with `--abort` also one that has not ended.',
  usage: '<job> [--abort] [--id <identifier>] [--reason <text>] [--revision same|latest] [--json]',
  examples: ['waybill jobs resubmit 245', 'waybill jobs resubmit 245 --abort --revision latest'],
  positionals: ['job'],
  options: { ...options, abort: flagOption, id: textOption, reason: textOption, revision: textOption },
  choices: { revision: revisions },
  run: async (invocation) => {
    const id = jobNumber(invocation.positionals[0]);
    const { id: extIPID = randomUUID() } = givenTexts(invocation.values, ['id']);
    const abort = invocation.values['abort'] === true ? 'true' : 'false';
    await using client = await openPlatform(invocation, { side: 'manager' });
    const query = { ...changeOf(invocation), extIPID, abort } as const;
    show(invocation, (await client.call(resubmitJobEndpoint, { params: { id }, query })).body, `repeats job ${id}`);
  },
};

function changeOf({ values }: Invocation) {
  const revision = choiceOf(values, 'revision', revisions);
  return { ...givenTexts(values, ['reason']), ...(revision && { revision }) };
}

function show(invocation: Invocation, job: JobView, what: string): void {
  printOne(invocation, job, [`job ${job.id} of ${job.contract}/${job.contractAction} ${what}`]);
}
