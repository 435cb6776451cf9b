import { describe, expect, it } from 'vitest';
import { testJob } from '../../../tests/test-job.ts';
import { Interruption } from '../../domain/jobs/interruption.ts';
import { createStepLog } from '../../domain/workflows/step-log.ts';
import { type InnerOutcome, runCall } from './run-call.ts';
import type { StepRun } from './step-run.ts';

const rules = { retry: { attempts: 3, delaySeconds: 0 }, timeoutSeconds: 1, with: {} } as const;
const call = { name: 'pack', uses: 'workflow', call: { inputs: {}, outputs: {} }, ...rules } as const;
const inner = { name: 'slow', uses: 'gzip', parent: 0, ...rules } as const;
const plain = { text: (text: string) => text, line: (text: string) => text };

/** Runs the step `pack`, whose workflow has one step, and records what the ledger is told. */
async function run(runInner: (inner: StepRun, signal: AbortSignal) => Promise<InnerOutcome>, signal: AbortSignal) {
  const written: unknown[][] = [];
  const note =
    (what: string) =>
    (_hold: unknown, ...values: unknown[]) => {
      written.push([what, values[0]]);
      return Promise.resolve(true);
    };
  const job = testJob();
  const ledger = {
    beginStep: () => Promise.resolve({ attempts: 1, failures: 0, losses: 0, lossesAlone: 0 }),
    completeStep: note('complete'),
    failStep: note('fail'),
    repeatSteps: note('repeat'),
  };
  const outcome = await runCall(
    { ledger, events: { stepFailed: () => {} } },
    {
      job: { ...job, workflow: { ...job.workflow, steps: [call, inner] } },
      hold: { jobId: job.id, fence: '1' },
      position: 0,
      step: call,
      done: new Map(),
    },
    { signal, runInner },
  );
  return { outcome, written };
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

describe('a workflow that a step runs', () => {
  it('fails when the time of the step is over, whatever attempts its steps have left', async () => {
    const { outcome, written } = await run(async (_run, signal) => {
      await untilAborted(signal);
      const next = { kind: 'retry', afterSeconds: 0 } as const;
      return { kind: 'failed', message: 'it was interrupted', log: createStepLog(1, plain), next };
    }, new AbortController().signal);
    expect(outcome).toMatchObject({
      kind: 'failed',
      message: "Step 'pack' failed: the workflow of the step 'pack' took longer than 1 s",
      next: { kind: 'retry' },
    });
    expect(written).toEqual([['fail', 1]]);
  });

  it('says which of its steps an interruption is about, and writes nothing itself', async () => {
    const controller = new AbortController();
    const error = new Interruption('stopping');
    const { outcome, written } = await run((inside) => {
      expect([inside.frame?.title, inside.position]).toEqual(['pack/', 1]);
      controller.abort(error);
      return Promise.resolve({ kind: 'interrupted', error, log: createStepLog(1, plain) });
    }, controller.signal);
    expect(outcome).toMatchObject({ kind: 'interrupted', at: 1 });
    expect(written).toEqual([]);
  });
});
