import { randomUUID } from 'node:crypto';
import { abortJobEndpoint } from '@waybill/contracts/endpoints/jobs/abort-job';
import type { JobView } from '@waybill/contracts/endpoints/jobs/job';
import { resubmitJobEndpoint } from '@waybill/contracts/endpoints/jobs/resubmit-job';
import { resumeJobEndpoint } from '@waybill/contracts/endpoints/jobs/resume-job';
import { submitJobEndpoint } from '@waybill/contracts/endpoints/jobs/submit-job';
import { z } from 'zod';
import { type Command, type Invocation, UsageError } from '../../command.ts';
import { openPlatform, platformOptions } from '../../platform/open-platform.ts';
import {
  choiceOf,
  choiceOption,
  flagOption,
  givenTexts,
  jsonOption,
  textOption,
} from '../../platform/option-values.ts';
import { printOne } from '../../platform/print-rows.ts';
import { changeManyJobs, manyJobsOptions, oneJobOf } from './change-many-jobs.ts';
import { watchJob } from './watch-jobs.ts';

const options = { ...platformOptions, json: jsonOption };
const revisions = ['same', 'latest'] as const;
const maybeMany = { optionalArguments: { job: 'The number of the job, unless --all is given.' } } as const;

/** Submits a job. */
export const submitJobCommand: Command = {
  summary: 'Submits a job of an OnDemand action. With `--id` the command can be repeated: it submits one job.',
  examples: [
    `waybill jobs submit invoices write-report --variables '{"name":"march","text":"All are in."}'`,
    'waybill jobs submit invoices write-report --id march-2026 --watch',
  ],
  arguments: { contract: 'The name of the contract.', action: 'The name of the action.' },
  options: {
    ...options,
    variables: textOption('json', 'The variables of the action, as a JSON object.'),
    id: textOption('identifier', 'Makes the command repeatable: with the same identifier, no second job is made.'),
    watch: flagOption('Prints each change of the status until the job has stopped.'),
  },
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
  summary: 'Aborts a job that has not ended, or with `--all` those that match filters; a running step is interrupted.',
  examples: [
    "waybill jobs abort 245 --reason 'wrong file'",
    'waybill jobs abort --all --status SUSPENDED --queue Nightly --dry-run',
  ],
  ...maybeMany,
  options: { ...options, ...manyJobsOptions, reason: textOption('text', 'Why; it is recorded in the audit log.') },
  run: async (invocation) => {
    const id = oneJobOf(invocation);
    const query = givenTexts(invocation.values, ['reason']);
    if (id === undefined) return await changeManyJobs(invocation, { operation: 'abort', ...query });
    await using client = await openPlatform(invocation, { side: 'manager' });
    show(invocation, (await client.call(abortJobEndpoint, { params: { id }, query })).body, 'is aborted');
  },
};

/** Resumes a job. */
export const resumeJobCommand: Command = {
  summary:
    'Resumes a job in ERROR at its failed step, or one that is SUSPENDED; with `--all` those that match filters.',
  examples: [
    "waybill jobs resume 245 --revision latest --reason 'workflow corrected'",
    'waybill jobs resume --all --status ERROR --contract invoices',
  ],
  ...maybeMany,
  options: {
    ...options,
    ...manyJobsOptions,
    reason: textOption('text', 'Why; it is recorded in the audit log.'),
    revision: choiceOption(
      'revision',
      revisions,
      "The revision of the workflow: the one of the job, or the latest; the job's own if it is left out.",
    ),
  },
  run: async (invocation) => {
    const id = oneJobOf(invocation);
    if (id === undefined) return await changeManyJobs(invocation, { operation: 'resume', ...changeOf(invocation) });
    await using client = await openPlatform(invocation, { side: 'manager' });
    const { body } = await client.call(resumeJobEndpoint, { params: { id }, query: changeOf(invocation) });
    show(invocation, body, `is resumed: ${body.status}`);
  },
};

/** Resubmits a job. */
export const resubmitJobCommand: Command = {
  summary:
    'Runs an ended job again, as a new job with the same variables and file; with `--abort` also one that is RUNNING or in ERROR, and ' +
    'with `--all` those that match filters. With `--id` the command can be repeated.',
  examples: [
    'waybill jobs resubmit 245 --abort --revision latest',
    'waybill jobs resubmit --all --status ABORTED --created-from 2026-03-02T00:00:00Z --id outage-2026-03-02',
  ],
  ...maybeMany,
  options: {
    ...options,
    ...manyJobsOptions,
    abort: flagOption('Aborts a job that is RUNNING or in ERROR before.'),
    id: textOption('identifier', 'Makes the command repeatable: with the same identifier, no second job is made.'),
    reason: textOption('text', 'Why; it is recorded in the audit log.'),
    revision: choiceOption(
      'revision',
      revisions,
      "The revision of the workflow: the one of the job, or the latest; the job's own if it is left out.",
    ),
  },
  run: async (invocation) => {
    const id = oneJobOf(invocation);
    const { id: extIPID = randomUUID() } = givenTexts(invocation.values, ['id']);
    const aborts = invocation.values['abort'] === true;
    const change = { ...changeOf(invocation), extIPID };
    if (id === undefined) {
      const operation = aborts ? 'abort-and-resubmit' : 'resubmit';
      return await changeManyJobs(invocation, { operation, ...change });
    }
    await using client = await openPlatform(invocation, { side: 'manager' });
    const query = { ...change, abort: aborts ? 'true' : 'false' } as const;
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
