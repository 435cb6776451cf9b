import { findJobEndpoint } from '@waybill/contracts/endpoints/jobs/find-job';
import type { JobView } from '@waybill/contracts/endpoints/jobs/job';
import type { JobDetailView } from '@waybill/contracts/endpoints/jobs/job-detail';
import { listJobsEndpoint } from '@waybill/contracts/endpoints/jobs/list-jobs';
import { jobStatusSchema } from '@waybill/contracts/values/job-status';
import type { Command } from '../../command.ts';
import { openPlatform, platformOptions } from '../../platform/open-platform.ts';
import {
  choiceOf,
  choiceOption,
  countOf,
  givenTexts,
  jobNumber,
  jsonOption,
  textOption,
} from '../../platform/option-values.ts';
import { pagePrinter, printOne } from '../../platform/print-rows.ts';
import { readPages } from '../../platform/read-pages.ts';
import { printable, renderTable } from '../../platform/render-table.ts';

const pageSize = 500;

/** Lists jobs. */
export const listJobsCommand: Command = {
  summary: 'Lists jobs, newest first: 50, or as many as `--limit` says.',
  examples: ['waybill jobs list --status ERROR', 'waybill jobs list --contract invoices --limit 1000 --json | jq .id'],
  options: {
    ...platformOptions,
    status: choiceOption('status', jobStatusSchema.options, 'Only jobs in this status.'),
    queue: textOption('name', 'Only jobs of this queue.'),
    contract: textOption('name', 'Only jobs of this contract.'),
    actor: textOption('name', 'Only jobs of contracts of this actor.'),
    limit: { ...textOption('number', 'How many are listed at most.'), usual: '50' },
    json: jsonOption,
  },
  run: async (invocation) => {
    const { values } = invocation;
    const status = choiceOf(values, 'status', jobStatusSchema.options);
    const filters = { ...givenTexts(values, ['queue', 'contract', 'actor']), ...(status && { status }) };
    let left = countOf(values, 'limit');
    await using client = await openPlatform(invocation, { side: 'manager' });
    const signal = invocation.interruption?.();
    const readPage = async (cursor: object) => {
      const query = { ...filters, maxItems: Math.min(left, pageSize), ...cursor };
      return (await client.call(listJobsEndpoint, { query, signal })).body;
    };
    const print = pagePrinter<JobView>(invocation, [
      ['JOB', ({ id }) => String(id)],
      ['STATUS', (job) => job.status],
      ['CONTRACT', ({ contract, contractAction }) => `${contract}/${contractAction}`],
      ['QUEUE', ({ queue }) => queue],
      ['BY', ({ submittedBy }) => submittedBy],
      ['CHANGED', ({ updatedAt }) => updatedAt],
      ['MESSAGE', ({ statusMessage }) => statusMessage.slice(0, 80)],
    ]);
    for await (const { jobs } of readPages(readPage)) {
      print(jobs);
      left -= jobs.length;
      if (left <= 0) return;
    }
  },
};

/** Shows one job. */
export const showJobCommand: Command = {
  summary: 'Shows a job with its steps, its history, and what it waits for.',
  examples: ['waybill jobs show 245'],
  arguments: { job: 'The number of the job.' },
  options: { ...platformOptions, json: jsonOption },
  run: async (invocation) => {
    const id = jobNumber(invocation.positionals[0]);
    await using client = await openPlatform(invocation, { side: 'manager' });
    const { body } = await client.call(findJobEndpoint, { params: { id }, query: {} });
    printOne(invocation, body, describeJob(body));
  },
};

function describeJob(job: JobDetailView): string[] {
  const { id, status, statusMessage, contract, contractAction, queue, submittedBy, createdAt, waitingFor } = job;
  const steps = job.steps.map((step) => [
    step.name,
    step.task,
    step.status,
    String(step.attempts),
    step.durationMs === undefined ? '' : `${step.durationMs} ms`,
    step.error.slice(0, 120),
  ]);
  const history = job.history.map(({ at, from, to, by, message }) => [
    at,
    `${from ?? '-'} -> ${to}`,
    by,
    message.slice(0, 120),
  ]);
  return [
    printable(`Job ${id} of ${contract}/${contractAction}: ${status}, ${statusMessage}`),
    printable(`Submitted by ${submittedBy} at ${createdAt}, queue ${queue}`),
    ...(waitingFor ? [printable(`Waits: ${waitingFor.message}`)] : []),
    '',
    ...renderTable(['STEP', 'TASK', 'STATUS', 'ATTEMPTS', 'TIME', 'ERROR'], steps),
    '',
    ...renderTable(['AT', 'CHANGE', 'BY', 'MESSAGE'], history),
  ];
}
