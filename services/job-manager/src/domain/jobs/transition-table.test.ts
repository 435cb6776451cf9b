import { jobStatusSchema, type JobStatus } from '@waybill/contracts/values/job-status';
import { describe, expect, it } from 'vitest';
import {
  abortableForResubmission,
  canMove,
  resubmittableFrom,
  transitionTable,
  type TransitionName,
} from './transition-table.ts';

/** Every pair of statuses that may follow one another, and why. Anything that is not here must be refused. */
const allowed: Record<JobStatus, Partial<Record<TransitionName, JobStatus>>> = {
  SUBMITTED: { suspend: 'SUSPENDED', start: 'RUNNING', abort: 'ABORTED' },
  SUSPENDED: { start: 'RUNNING', fail: 'ERROR', abort: 'ABORTED', resume: 'RUNNING' },
  RUNNING: { wait: 'SUSPENDED', complete: 'COMPLETED', fail: 'ERROR', abort: 'ABORTED' },
  ERROR: { abort: 'ABORTED', resume: 'RUNNING' },
  ABORTED: {},
  COMPLETED: {},
};

const names = Object.keys(transitionTable) as TransitionName[];
const pairs = jobStatusSchema.options.flatMap((status) => names.map((name) => [status, name] as const));

describe('the transition table', () => {
  it.each(pairs)('%s: %s happens exactly when it is allowed', (status, name) => {
    const target = allowed[status][name];
    expect(canMove(status, name)).toBe(target !== undefined);
    if (target) expect(transitionTable[name].to).toBe(target);
  });

  it('lets nothing leave ABORTED and COMPLETED', () => {
    for (const name of names) {
      expect(canMove('ABORTED', name)).toBe(false);
      expect(canMove('COMPLETED', name)).toBe(false);
    }
  });

  it('leads to every status but SUBMITTED, which only a new job has', () => {
    const reached = new Set<JobStatus>(names.map((name) => transitionTable[name].to));
    expect([...reached, 'SUBMITTED'].toSorted()).toEqual(jobStatusSchema.options.toSorted());
    expect(reached.has('SUBMITTED')).toBe(false);
  });

  it('repeats ended jobs, and aborts first what has not ended', () => {
    expect(resubmittableFrom).toEqual(['ABORTED', 'COMPLETED']);
    for (const status of abortableForResubmission) expect(canMove(status, 'abort')).toBe(true);
  });
});
