import { CodedError } from '@waybill/contracts/errors/coded-error';
import { logSpecification, raiseErrorSpecification } from '@waybill/contracts/tasks/flow-specifications';
import { waitSpecification, waitUntilSpecification } from '@waybill/contracts/tasks/wait-specifications';
import { isInteger, outputShapeOf } from './job-scope.ts';

/** A task whose parameters are evaluated. */
export interface ImaginedTask {
  /** Name of the step. */
  readonly step: string;
  readonly task: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** When the job was created. */
  readonly now: Date;
  /** Outputs that the run is given for the step; absent: the task is on its own. */
  readonly given?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * How the outputs of a step in a dry run have come about. `task`: its task ran, since it touches nothing. `placeholder`: its task
 * did not run. `given`: the run was given some or all of them. `workflow`: the steps of the workflow that it runs gave them.
 */
export type OutputsOrigin = 'task' | 'placeholder' | 'given' | 'workflow';

const runningTasks: ReadonlySet<string> = new Set(['log', 'raise-error', 'wait', 'wait-until']);

/** How the outputs of a task come about. */
export function originOfOutputs({ task, given }: Pick<ImaginedTask, 'task' | 'given'>): OutputsOrigin {
  if (given) return 'given';
  return runningTasks.has(task) ? 'task' : 'placeholder';
}

/**
 * The outputs of a task in a dry run. Tasks whose outputs follow from their parameters alone run: `log`, `raise-error`, and the
 * waits for a time, which are over at once. The others have placeholders: the path of a written file is known, the rest is named.
 * Given outputs replace both, and the failure of `raise-error`. @throws CodedError the code and the message of `raise-error`
 */
export function imagineTask(imagined: ImaginedTask): Readonly<Record<string, unknown>> {
  return { ...ownOutputs(imagined), ...imagined.given };
}

function ownOutputs({ step, task, parameters, now, given }: ImaginedTask): Readonly<Record<string, unknown>> {
  switch (task) {
    case 'log': {
      const { message } = logSpecification.parameters.parse(parameters);
      return { message };
    }
    case 'raise-error': {
      if (given) return {};
      const { message, code } = raiseErrorSpecification.parameters.parse(parameters);
      throw new CodedError(code, { detail: message });
    }
    case 'wait': {
      const { seconds } = waitSpecification.parameters.parse(parameters);
      return { until: new Date(now.getTime() + seconds * 1_000).toISOString() };
    }
    case 'wait-until': {
      const { time } = waitUntilSpecification.parameters.parse(parameters);
      return { until: new Date(time).toISOString() };
    }
    default: {
      return placeholders(step, task, parameters);
    }
  }
}

function placeholders(
  step: string,
  task: string,
  parameters: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const path = parameters['target'] ?? parameters['path'] ?? parameters['source'];
  return Object.fromEntries(
    Object.entries(outputShapeOf(task) ?? {}).map(([name, output]) => {
      if (name === 'path' && path !== undefined) return [name, path];
      return [name, isInteger(output) ? '0' : `<${name} of ${step}>`];
    }),
  );
}
