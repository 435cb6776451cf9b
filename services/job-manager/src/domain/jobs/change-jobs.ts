import type { bulkOperations } from '@waybill/contracts/endpoints/jobs/change-jobs';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { jobStatusSchema, type JobStatus } from '@waybill/contracts/values/job-status';
import type { JobControl, Resubmission } from './control-jobs.ts';
import type { JobQuery } from './job-query.ts';
import type { JobRegister } from './job-register.ts';
import type { Job, ListedJob } from './job.ts';
import type { ChangePreview } from './preview-change.ts';
import { abortableForResubmission } from './transition-table.ts';

/** A change of the jobs that match a filter. */
export interface BulkChange extends Omit<Resubmission, 'abort' | 'onlyFrom'> {
  readonly operation: (typeof bulkOperations)[number];
  readonly filters: JobQuery['filters'];
  readonly dryRun: boolean;
  /** Jobs that are looked at, at most. */
  readonly limit: number;
  /** The only jobs that are meant, as they were when the user has seen them; absent: all that match. */
  readonly expected?: readonly ExpectedJob[] | undefined;
  /** Where the change goes on. */
  readonly from?: BulkPosition | undefined;
}

/** A job, and the status in which it is to be changed. */
export interface ExpectedJob {
  readonly id: number;
  readonly status: JobStatus;
}

/** How far a change has come. */
export interface BulkPosition {
  /** The job that was looked at last. */
  readonly after: number;
  /** The newest job when the change began: those that it creates itself are not looked at. */
  readonly through: number;
}

/**
 * What became of a job, or would. `job`: as it is afterwards, as far as it is known. `created`: a new job for it; `repeated`: the
 * same request has resubmitted it before. `failed`: something unexpected, after which the change stops.
 */
export type BulkResult = { readonly job: ListedJob; readonly message: string } & (
  | { readonly kind: 'changed' }
  | { readonly kind: 'created' | 'repeated'; readonly made?: Job | undefined }
  | { readonly kind: 'refused'; readonly error: CodedError }
  | { readonly kind: 'failed'; readonly error: unknown }
);

/** The results of one request. `next` is absent when every job was looked at. */
export interface BulkOutcome {
  readonly results: readonly BulkResult[];
  readonly next?: BulkPosition | undefined;
}

/** Changes jobs one after the other, lowest number first, until `signal` is aborted. */
export type ChangeJobs = (change: BulkChange, signal: AbortSignal) => Promise<BulkOutcome>;

/** Jobs that are read at a time: few, so that each is looked at soon after. */
const chunk = 50;

/** The parts of changes of many jobs. */
export interface ChangeJobsPorts {
  readonly register: Pick<JobRegister, 'list'>;
  readonly control: Pick<JobControl, 'abort' | 'resume' | 'resubmit'>;
  readonly preview: ChangePreview;
  /** How long one request may go on, in milliseconds. */
  readonly budgetMs: number;
}

/**
 * Changes many jobs, each as if it were the only one: in its own transaction, which a crash leaves made or not made. A filter by
 * status is checked again by the change itself.
 */
export function createChangeJobs(ports: ChangeJobsPorts): ChangeJobs {
  const { register, budgetMs } = ports;
  return async (change, signal) => {
    const through = change.from?.through ?? (await newestJob(register));
    const startedAt = performance.now();
    const mustStop = (): boolean => signal.aborted || performance.now() - startedAt > budgetMs;
    const results: BulkResult[] = [];
    let after = change.from?.after ?? 0;
    const stop = (): BulkOutcome => ({ results, next: { after, through } });
    if (change.expected) {
      for (const one of change.expected.toSorted((lower, higher) => lower.id - higher.id)) {
        if (one.id <= after) continue;
        if (results.length >= change.limit || mustStop()) return stop();
        const result = await changeExpected(ports, change, one);
        if (result) results.push(result);
        after = one.id;
        if (result?.kind === 'failed') return stop();
      }
      return { results };
    }
    while (results.length < change.limit) {
      const { jobs } = await register.list(pageOf(change, after, change.limit - results.length));
      for (const job of jobs) {
        if (job.id > through) return { results };
        if (mustStop()) return stop();
        const result = await changeOne(ports, change, job);
        results.push(result);
        after = job.id;
        if (result.kind === 'failed') return stop();
      }
      if (jobs.length === 0) return { results };
    }
    return stop();
  };
}

async function newestJob(register: Pick<JobRegister, 'list'>): Promise<number> {
  const { jobs } = await register.list({ filters: {}, sort: { field: 'id', descending: true }, limit: 1 });
  return jobs[0]?.id ?? 0;
}

function pageOf({ filters }: BulkChange, after: number, room: number): JobQuery {
  const cursor = after === 0 ? undefined : { value: String(after), id: after };
  return { filters, sort: { field: 'id', descending: false }, after: cursor, limit: Math.min(chunk, room) };
}

async function changeOne(ports: ChangeJobsPorts, change: BulkChange, job: ListedJob): Promise<BulkResult> {
  try {
    assertNotOwn(change, job);
    return await (change.dryRun ? previewOne(ports, change, job) : makeOne(ports, change, job));
  } catch (error) {
    const { message } = error instanceof CodedError ? error : new CodedError('internal_error');
    return error instanceof CodedError
      ? { kind: 'refused', job, message, error }
      : { kind: 'failed', job, message, error };
  }
}

/** Changes a job that still is what was expected; undefined if there is no such job. */
async function changeExpected(
  ports: ChangeJobsPorts,
  change: BulkChange,
  { id, status }: ExpectedJob,
): Promise<BulkResult | undefined> {
  const { filters } = change;
  const find = async (by: JobQuery['filters']): Promise<ListedJob | undefined> =>
    (await ports.register.list({ filters: by, sort: { field: 'id', descending: false }, limit: 1 })).jobs[0];
  const isMeant = filters.id === undefined || filters.id === id;
  const job = isMeant ? await find({ ...filters, id }) : undefined;
  // The change itself compares the status again.
  if (job?.status === status) return changeOne(ports, { ...change, filters: { ...filters, status } }, job);
  const present = job ?? (await find({ id, actors: filters.actors }));
  if (!present) return undefined;
  const what = job ? `is ${job.status} by now` : 'does not match the filter any more';
  const error = new CodedError('job_transition_refused', {
    detail: `Job ${id} was changed meanwhile: it ${what}, and was ${status}`,
  });
  return { kind: 'refused', job: present, message: error.message, error };
}

/** A job that the same request has created before, when it is repeated, is not one of those that it is about. */
function assertNotOwn({ extIPID, userName }: BulkChange, job: ListedJob): void {
  const isOwn = job.resubmissionOf !== undefined && job.extIPID === extIPID && job.submittedBy === userName;
  if (extIPID === undefined || !isOwn) return;
  const detail = `Job ${job.id} was created by this resubmission, of job ${job.resubmissionOf}`;
  throw new CodedError('job_transition_refused', { detail });
}

async function makeOne(
  { control }: ChangeJobsPorts,
  change: BulkChange,
  { id, ...rest }: ListedJob,
): Promise<BulkResult> {
  const { operation } = change;
  const request = { ...change, onlyFrom: sourcesOf(change) };
  if (operation === 'abort' || operation === 'resume') {
    const job = await control[operation](id, request);
    return { kind: 'changed', job, message: job.statusMessage };
  }
  const abort = operation === 'abort-and-resubmit';
  const { job: made, created } = await control.resubmit(id, { ...request, abort });
  const status = abort && abortableForResubmission.includes(rest.status) ? 'ABORTED' : rest.status;
  const message = `Resubmitted as job ${made.id}`;
  return { kind: created ? 'created' : 'repeated', job: { ...rest, id, status }, made, message };
}

async function previewOne({ preview }: ChangeJobsPorts, change: BulkChange, job: ListedJob): Promise<BulkResult> {
  const { operation } = change;
  const request = { ...change, onlyFrom: sourcesOf(change) };
  if (operation === 'abort' || operation === 'resume') {
    return { kind: 'changed', job, message: (await preview[operation](job, request)).message };
  }
  const { message, earlier } = await preview.resubmit(job, { ...request, abort: operation === 'abort-and-resubmit' });
  return { kind: earlier ? 'repeated' : 'created', job, made: earlier, message };
}

/** The statuses of the jobs that are meant. */
function sourcesOf({ operation, filters: { status } }: BulkChange): readonly JobStatus[] | undefined {
  const meant = operation === 'abort-and-resubmit' ? abortableForResubmission : undefined;
  if (status === undefined) return meant;
  return (meant ?? jobStatusSchema.options).filter((one) => one === status);
}
