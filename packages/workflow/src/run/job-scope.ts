import { taskSpecifications } from '@waybill/contracts/tasks/task-specifications';
import type { DataflowContext } from '@waybill/contracts/values/dataflow-context';
import type { z } from 'zod';
import type { ExpressionScope } from '../expressions/expression.ts';
import type { JobFile } from './job-file.ts';

/** The statuses of a step that is over. */
export const endedStepStatuses = ['COMPLETED', 'FAILED', 'SKIPPED'] as const;

/** A step of a job, and how it has ended, as expressions see it. */
export interface StepEnd {
  readonly name: string;
  readonly task: string;
  /** `WAITING`: it has not run, or not to its end. */
  readonly status: (typeof endedStepStatuses)[number] | 'WAITING';
  readonly outputs: Readonly<Record<string, unknown>>;
  /** Empty if there was none. */
  readonly error: string;
  /** Of a step with `foreach`: the items that have ended, in order. */
  readonly items?: readonly ItemEnd[] | undefined;
}

/** How an item of a step with `foreach` has ended. */
export interface ItemEnd extends Pick<StepEnd, 'outputs' | 'error'> {
  /** From 0. */
  readonly index: number;
  readonly status: 'COMPLETED' | 'FAILED';
}

/** The properties of a job that expressions can name. */
export interface ScopeJob {
  readonly id: number;
  readonly contract: string;
  readonly action: string;
  readonly actor: string;
  readonly queue: string;
  readonly submittedBy: string;
  readonly createdAt: string;
  readonly dfiid: string;
  readonly lcid: string;
}

/** Where the values of expressions come from. */
export interface ScopeSource {
  readonly file?: JobFile | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly dfic: DataflowContext;
  readonly job: ScopeJob;
  /** All steps, in order. */
  readonly steps: readonly StepEnd[];
  readonly now: Date;
  /** The item that a step with `foreach` runs for. */
  readonly item?: StepItem | undefined;
}

/** An item of a list that a step runs for. */
export interface StepItem {
  readonly value: unknown;
  /** From 0. */
  readonly index: number;
}

/**
 * What expressions can name while a job runs. Inputs are variables: those that are declared were converted when the job was
 * created. `error` names the first step that has failed; its texts are empty if none has.
 */
export function scopeOfJob({ file, variables, dfic, job, steps, now, item }: ScopeSource): ExpressionScope {
  const failed = steps.find(({ status }) => status === 'FAILED');
  return {
    ...(file && { file: { ...file, size: BigInt(file.size) } }),
    variables,
    inputs: variables,
    job,
    dfic,
    now,
    steps: Object.fromEntries(steps.map((step) => [step.name, describeStep(step)])),
    error: { step: failed?.name ?? '', message: failed?.error ?? '' },
    ...(item && { item: item.value, index: item.index }),
  };
}

function describeStep({ task, status, outputs, error, items }: StepEnd) {
  return {
    status,
    error,
    outputs: typedOutputs(task, outputs),
    ...(items && { items: items.map((item) => ({ ...item, outputs: typedOutputs(task, item.outputs) })) }),
  };
}

/** Outputs that are decimal texts are integers for expressions. */
function typedOutputs(task: string, outputs: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const shape = outputShapeOf(task);
  return Object.fromEntries(
    Object.entries(outputs).map(([name, value]) => [
      name,
      isDecimal(value) && isInteger(shape?.[name]) ? BigInt(value) : value,
    ]),
  );
}

/** The outputs of a task by their names; `undefined` if there is no such task. */
export function outputShapeOf(task: string): Readonly<Record<string, z.ZodType>> | undefined {
  const specifications: Readonly<Record<string, { outputs: z.ZodObject<Record<string, z.ZodType>> }>> =
    taskSpecifications;
  return Object.hasOwn(specifications, task) ? specifications[task]?.outputs.shape : undefined;
}

/** Whether an output is an integer that is stored as decimal text. */
export function isInteger(output: z.ZodType | undefined): boolean {
  return output?.meta()?.['integer'] === true;
}

function isDecimal(value: unknown): value is string {
  return typeof value === 'string' && /^\d{1,30}$/u.test(value);
}
