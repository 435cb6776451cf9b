import { existsSpecification } from '@waybill/contracts/tasks/file-specifications';
import { defineTask } from '../define-task.ts';

/** Looks for an entry. It has no effects. */
export const existsTask = defineTask({
  ...existsSpecification,
  run: async ({ path }, { files, signal, log }) => {
    signal.throwIfAborted();
    const entry = await files.find(path);
    log(entry ? `${path} is a ${entry.kind}` : `There is nothing at ${path}`);
    return {
      exists: entry !== undefined,
      kind: entry?.kind ?? '',
      size: String(entry?.size ?? 0),
      modifiedAt: entry?.modifiedAt.toISOString() ?? '',
    };
  },
});
