import { CodedError } from '@waybill/contracts/errors/coded-error';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { testJob } from '../../../tests/test-job.ts';
import { Interruption } from '../../domain/jobs/interruption.ts';
import type { StepAttempt } from '../../domain/jobs/job-ledger.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { JobFiles, TaskContext } from '../../domain/workflows/task.ts';
import type { JobManagerEvents } from '../../events.ts';
import { createStepRunner } from './run-step.ts';
import type { StepRun } from './step-run.ts';

type Behaviour = (context: TaskContext) => Promise<Record<string, string>>;

const job = testJob();

/** The log that is kept with the end of the first attempt. */
const logOf = (message: string, attempt = 1) => [
  { at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/u), attempt, message },
];

/** A step with a scripted task, and a ledger that records the calls. */
function rig(
  task: Behaviour,
  begun: StepAttempt | 'not held' = { attempts: 1, failures: 0, losses: 0, lossesAlone: 0 },
  variables: Job['variables'] = {},
) {
  const written: unknown[][] = [];
  const note =
    (what: string) =>
    (_hold: unknown, ...values: unknown[]) => {
      written.push([what, ...values]);
      return Promise.resolve(true);
    };
  const ledger = {
    beginStep: () => Promise.resolve(begun === 'not held' ? undefined : begun),
    retryStep: note('retry'),
    failJob: note('fail'),
    failStep: note('failStep'),
    completeStep: note('completeStep'),
    postponeItem: note('postponeItem'),
    suspendJob: note('suspendJob'),
    skipStep: note('skip'),
    handBack: note('handBack'),
    repeatSteps: note('repeat'),
  };
  const run = vi.fn(async (_parameters: unknown, context: TaskContext) => task(context));
  const described = { summary: '', parameters: z.strictObject({}), outputs: z.object({}), run };
  const retries: number[] = [];
  const silent = new Proxy({}, { get: () => () => {} }) as JobManagerEvents;
  const runStep = createStepRunner({
    ledger,
    tasks: { gzip: described, 'write-file': described },
    filesFor: () => ({}) as JobFiles,
    connectionsFor: () => ({}) as TaskContext['connections'],
    submissionsFor: () => ({}) as TaskContext['submissions'],
    compute: () => Promise.reject(new Error('nothing is computed here')),
    events: silent,
    onRetry: (delayMs) => retries.push(delayMs),
    graceMs: 50,
  });
  const step = {
    name: 'compress',
    uses: 'gzip',
    with: {},
    retry: { attempts: 2, delaySeconds: 3 },
    timeoutSeconds: 1,
  } as const;
  const stepRun: StepRun = {
    job: { ...job, variables },
    hold: { jobId: job.id, fence: '1' },
    position: 4,
    step,
    done: new Map(),
  };
  return { written, run, retries, runStep: (signal = new AbortController().signal) => runStep(stepRun, signal) };
}

const untilAborted: Behaviour = ({ signal }) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('AbortError'))));

describe('a step', () => {
  it('that succeeds returns its outputs and writes nothing itself', async () => {
    const { runStep, written } = rig(() => Promise.resolve({ path: '/a' }));
    expect(await runStep()).toEqual({ status: 'COMPLETED', outputs: { path: '/a' }, log: [] });
    expect(written).toEqual([]);
  });

  it('that fails gives the job back until its delay is over', async () => {
    const { runStep, written, retries } = rig(() => Promise.reject(new CodedError('storage_full')));
    expect(await runStep()).toBeUndefined();
    const message = "Step 'compress' failed: There is no room left to store the file";
    expect(written).toEqual([['retry', 4, message, 3, logOf(message)]]);
    expect(retries).toEqual([3_000]);
  });

  it('that fails for the last time ends the job', async () => {
    const { runStep, written } = rig(() => Promise.reject(new Error('secret')), {
      attempts: 9,
      failures: 1,
      losses: 7,
      lossesAlone: 0,
    });
    await runStep();
    const message = "Step 'compress' failed: an unexpected failure, see the log of the job";
    expect(written).toEqual([['fail', 4, message, logOf(message, 9)]]);
  });

  it('keeps what its task says, without the secrets that it uses, and not more than the newest 100 lines', async () => {
    const { runStep } = rig(
      ({ log }) => {
        for (let line = 0; line < 300; line += 1) log(`line ${line}`);
        log(`sent with hunter-2 to\nacme\0: ${'x'.repeat(5_000)}\ud800`);
        return Promise.resolve({});
      },
      undefined,
      { password: 'hunter-2' },
    );
    const result = await runStep();
    const log = result?.status === 'COMPLETED' ? result.log : [];
    expect(log).toHaveLength(100);
    expect(log[98]?.message).toBe('line 299');
    expect(log[99]?.message).toMatch(/^sent with \*{6} to acme : x+…$/u);
    expect(log[99]?.message).toHaveLength(1_000);
  });

  it('that fails with a secret in its message masks it', async () => {
    const failure = new CodedError('job_step_failed', { detail: 'the partner refused hunter-2' });
    const { runStep, written } = rig(() => Promise.reject(failure), undefined, { nested: [{ apiKey: 'hunter-2' }] });
    await runStep();
    const message = "Step 'compress' failed: the partner refused ******";
    expect(written).toEqual([['retry', 4, message, 3, logOf(message)]]);
  });

  it('that exceeds its timeout fails', async () => {
    const { runStep, written } = rig(untilAborted);
    await runStep();
    const message = "Step 'compress' failed: it took longer than 1 s";
    expect(written).toEqual([['retry', 4, message, 3, logOf(message)]]);
  });

  it('that does not end when it is interrupted keeps no place: it is abandoned after the grace', async () => {
    const { runStep, written } = rig(() => new Promise(() => {}));
    const controller = new AbortController();
    const ended = runStep(controller.signal);
    controller.abort(new Interruption('stopping'));
    expect(await ended).toBeUndefined();
    expect(written).toEqual([['handBack', 4, logOf('Interrupted: the worker stops')]]);
  });

  it('that does not end at its timeout fails', async () => {
    const { runStep, written } = rig(() => new Promise(() => {}));
    await runStep();
    const message = "Step 'compress' failed: it took longer than 1 s";
    expect(written).toEqual([['retry', 4, message, 3, logOf(message)]]);
  });

  it('that has taken down its own process again and again is not begun once more', async () => {
    const { runStep, written, run } = rig(() => Promise.resolve({}), {
      attempts: 12,
      failures: 0,
      losses: 11,
      lossesAlone: 10,
    });
    await runStep();
    expect(run).not.toHaveBeenCalled();
    const message = "Step 'compress' failed: its process was lost 11 times, 10 times while it ran nothing else";
    expect(written).toEqual([['fail', 4, message, logOf(message, 12)]]);
  });

  it('whose job is no longer held does nothing', async () => {
    const { runStep, written, run } = rig(() => Promise.resolve({}), 'not held');
    expect(await runStep()).toBeUndefined();
    expect(run).not.toHaveBeenCalled();
    expect(written).toEqual([]);
  });

  it('that is interrupted because its job was lost writes nothing', async () => {
    const { runStep, written } = rig(untilAborted);
    const controller = new AbortController();
    const ended = runStep(controller.signal);
    controller.abort(new Interruption('lost'));
    expect(await ended).toBeUndefined();
    expect(written).toEqual([]);
  });

  it('that is interrupted because its worker stops is handed back without blame', async () => {
    const { runStep, written } = rig(untilAborted);
    const controller = new AbortController();
    const ended = runStep(controller.signal);
    controller.abort(new Interruption('stopping'));
    expect(await ended).toBeUndefined();
    expect(written).toEqual([['handBack', 4, logOf('Interrupted: the worker stops')]]);
  });
});
