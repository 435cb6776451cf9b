import type { archiveSpecifications } from '@waybill/contracts/tasks/archive-specifications';
import type { Task } from '../../domain/workflows/task.ts';
import { gunzipTask } from './gunzip-task.ts';
import { tarTask } from './tar-task.ts';
import { untarTask } from './untar-task.ts';
import { unzipTask } from './unzip-task.ts';
import { zipTask } from './zip-task.ts';

/** The tasks for archives, besides `gzip`. */
export const archiveTasks = {
  gunzip: gunzipTask,
  unzip: unzipTask,
  zip: zipTask,
  tar: tarTask,
  untar: untarTask,
} as const satisfies Record<keyof typeof archiveSpecifications, Task>;
