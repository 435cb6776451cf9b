import { type bulkOperations, changeJobsEndpoint } from '@waybill/contracts/endpoints/jobs/change-jobs';
import { type JobStatus, jobStatusSchema } from '@waybill/contracts/values/job-status';
import type { EndpointResult } from '@waybill/platform-client/requests/endpoint-call';
import { CommandFailed, type Invocation, UsageError } from '../../command.ts';
import { openPlatform } from '../../platform/open-platform.ts';
import { choiceOf, choiceOption, flagOption, jobNumber, textOption } from '../../platform/option-values.ts';
import { printRows } from '../../platform/print-rows.ts';

/** A request looks at jobs for about 20 seconds. */
const timeoutMs = 90_000;

/** Options that choose jobs, and the fields of the filter that they are. */
const filterFields = [
  ['queue', 'queue'],
  ['contract', 'contract'],
  ['action', 'contractAction'],
  ['actor', 'actor'],
  ['workflow', 'workflowTemplateName'],
  ['submitted-by', 'submittedBy'],
  ['created-from', 'createdAtFrom'],
  ['created-to', 'createdAtTo'],
] as const;

type JobFilter = { status?: JobStatus } & { [K in (typeof filterFields)[number][1]]?: string };

/** The options of the commands that change one job, or with `--all` those that match filters. */
export const manyJobsOptions = {
  all: flagOption('Changes each job that matches all filters, instead of one job.'),
  'dry-run': flagOption('Shows what --all would change, and changes nothing.'),
  status: choiceOption('status', jobStatusSchema.options, 'With --all: jobs in this status.'),
  queue: textOption('name', 'With --all: jobs of this queue.'),
  contract: textOption('name', 'With --all: jobs of this contract.'),
  action: textOption('name', 'With --all: jobs of this action.'),
  actor: textOption('name', 'With --all: jobs of contracts of this actor.'),
  workflow: textOption('name', 'With --all: jobs of this workflow template.'),
  'submitted-by': textOption('name', 'With --all: jobs that this user has submitted.'),
  'created-from': textOption('time', 'With --all: jobs that were submitted at this time (ISO 8601) or later.'),
  'created-to': textOption('time', 'With --all: jobs that were submitted until this time (ISO 8601).'),
} as const;

type Outcome = EndpointResult<typeof changeJobsEndpoint>['body'];
type Result = Outcome['results'][number];

/** What is done to each job, and the other parts of the request. */
export interface ManyJobsChange {
  readonly operation: (typeof bulkOperations)[number];
  readonly reason?: string;
  readonly revision?: 'same' | 'latest';
  readonly extIPID?: string;
}

/** The number of the one job that a command names; `undefined` with `--all`. @throws UsageError for both, and for neither */
export function oneJobOf({ positionals: [job], values }: Invocation): number | undefined {
  if (values['all'] === true) {
    if (job !== undefined) throw new UsageError('give the number of a job, or --all with filters');
    return undefined;
  }
  const stray = Object.keys(manyJobsOptions).find((option) => values[option] !== undefined);
  if (stray !== undefined) throw new UsageError(`--${stray} belongs to --all, which changes each job that matches`);
  if (job === undefined) throw new UsageError('give the number of a job, or --all with filters such as --status');
  return jobNumber(job);
}

/**
 * Changes each job that matches the filters, and prints what became of each, as the platform reports it.
 * @throws UsageError without a filter; CommandFailed if a job was refused
 */
export async function changeManyJobs(invocation: Invocation, change: ManyJobsChange): Promise<void> {
  const { values, out } = invocation;
  const filter = filterOf(invocation);
  const dryRun = values['dry-run'] === true;
  const signal = invocation.interruption?.();
  await using client = await openPlatform(invocation, { side: 'manager', timeoutMs });
  let [all, refused] = [0, 0];
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const body = { ...change, filter, dryRun, ...(cursor !== undefined && { cursor }) };
    const { results, next } = (await client.call(changeJobsEndpoint, { body, signal })).body;
    if (isFirst || results.length > 0) printResults(invocation, results);
    all += results.length;
    refused += results.filter(isRefused).length;
    cursor = next;
  }
  if (refused > 0) throw new CommandFailed(`${refused} of ${all} jobs ${dryRun ? 'would be' : 'were'} refused`);
  if (values['json'] !== true && all > 0) out(dryRun ? 'Nothing was changed.' : `${all} jobs were changed.`);
}

/** A repeated resubmission is answered with the job that it has made before. */
function isRefused({ statusCode, newId }: Result): boolean {
  return statusCode >= 400 && newId === undefined;
}

function filterOf({ values }: Invocation): JobFilter {
  const status = choiceOf(values, 'status', jobStatusSchema.options);
  const filter: JobFilter = status === undefined ? {} : { status };
  for (const [option, field] of filterFields) {
    const value = values[option];
    if (typeof value === 'string') filter[field] = value;
  }
  if (Object.keys(filter).length > 0) return filter;
  throw new UsageError('give a filter such as --status with --all: it would be every job');
}

function printResults(invocation: Invocation, results: readonly Result[]): void {
  printRows(invocation, results, [
    ['JOB', ({ id }) => String(id)],
    ['RESULT', (result) => (isRefused(result) ? (result.errorCode ?? String(result.statusCode)) : 'ok')],
    ['STATUS', ({ status }) => status],
    ['NEW', ({ newId }) => (newId === undefined ? '' : String(newId))],
    ['MESSAGE', ({ message }) => message.slice(0, 120)],
  ]);
}
