import type { fileSpecifications } from '@waybill/contracts/tasks/file-specifications';
import type { Task } from '../../domain/workflows/task.ts';
import { copyTask, moveTask } from './copy-task.ts';
import { deleteTask } from './delete-task.ts';
import { deliverTask } from './deliver-task.ts';
import { existsTask } from './exists-task.ts';
import { listTask } from './list-task.ts';
import { makeFolderTask } from './make-folder-task.ts';
import { mergeTask } from './merge-task.ts';
import { readTextTask } from './read-text-task.ts';
import { renameTask } from './rename-task.ts';
import { setMetadataTask } from './set-metadata-task.ts';
import { splitLinesTask } from './split-lines-task.ts';

/** The tasks that work on files as they are. */
export const fileTasks = {
  copy: copyTask,
  move: moveTask,
  rename: renameTask,
  delete: deleteTask,
  'make-folder': makeFolderTask,
  list: listTask,
  exists: existsTask,
  deliver: deliverTask,
  'set-metadata': setMetadataTask,
  merge: mergeTask,
  'split-lines': splitLinesTask,
  'read-text': readTextTask,
} as const satisfies Record<keyof typeof fileSpecifications, Task>;
