import { explainUnknownParameter } from '@waybill/contracts/errors/explain-issue';
import { placeOf } from '@waybill/contracts/errors/place-of';
import { taskSpecifications } from '@waybill/contracts/tasks/task-specifications';
import { z } from 'zod';
import type { Fault } from '../text/place-in-text.ts';

/** The names of the parameters of a task; undefined if there is no such task. */
function parametersOf(task: string): readonly string[] | undefined {
  const tasks: Readonly<Record<string, { readonly parameters: z.ZodObject }>> = taskSpecifications;
  return Object.hasOwn(tasks, task) ? Object.keys(tasks[task]?.parameters.shape ?? {}) : undefined;
}

const named = z.object({ uses: z.string(), with: z.record(z.string(), z.unknown()) });
const steps = z.array(z.unknown());
const written = z.record(z.string(), z.unknown());

/** The parameters of a workflow that is being typed which its tasks do not have, as the server words them. */
export function unknownParameters(template: unknown): readonly Fault[] {
  const { data = {} } = written.safeParse(template);
  return ['steps', 'onError', 'finally'].flatMap((section) =>
    (steps.safeParse(data[section]).data ?? []).flatMap((value, index) => {
      const { data: step } = named.safeParse(value);
      const known = step && parametersOf(step.uses);
      if (!known) return [];
      return Object.keys(step.with)
        .filter((name) => !known.includes(name))
        .map((name) => ({
          field: placeOf([section, index, 'with', name]),
          message: explainUnknownParameter(step.uses, name, known),
        }));
    }),
  );
}
