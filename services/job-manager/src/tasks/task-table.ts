import type { TaskName } from '@waybill/contracts/configuration/workflow-configuration';
import type { Task } from '../domain/workflows/task.ts';
import { gzipTask } from './archives/gzip-task.ts';
import { writeFileTask } from './files/write-file-task.ts';

/** Everything that a step can use. */
export const taskTable = {
  gzip: gzipTask,
  'write-file': writeFileTask,
} as const satisfies Record<TaskName, Task>;

/** A task for every name. */
export type TaskTable = Readonly<Record<TaskName, Task>>;
