import type { z } from 'zod';
import type { Task } from '../domain/workflows/task.ts';

/** Types `run` by the schema of the parameters. */
export function defineTask<S extends z.ZodObject>(task: Task<S>): Task<S> {
  return task;
}
