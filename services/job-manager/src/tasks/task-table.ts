import type { TaskName } from '@waybill/contracts/configuration/workflow-step';
import type { Task } from '../domain/workflows/task.ts';
import { gzipTask } from './archives/gzip-task.ts';
import { checksumTask } from './files/checksum-task.ts';
import { writeFileTask } from './files/write-file-task.ts';

/** Everything that a step can use. */
export const taskTable = {
  gzip: gzipTask,
  checksum: checksumTask,
  'write-file': writeFileTask,
} as const satisfies Record<TaskName, Task>;

/** The tasks that a worker has. Older workers have fewer. */
export type TaskTable = Readonly<Partial<Record<TaskName, Task>>>;
