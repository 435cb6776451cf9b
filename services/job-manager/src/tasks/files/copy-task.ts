import { copySpecification, moveSpecification } from '@waybill/contracts/tasks/file-specifications';
import { defineTask } from '../define-task.ts';

/** Copies a file. */
export const copyTask = defineTask({
  ...copySpecification,
  run: async ({ source, target, ifExists }, { files, signal, log }) => {
    signal.throwIfAborted();
    const copied = await files.copy(source, target, { overwrite: ifExists === 'replace' });
    log(`Copied ${source} (${copied.size} bytes) to ${copied.path}`);
    return { ...copied };
  },
});

/** Moves a file or a folder. */
export const moveTask = defineTask({
  ...moveSpecification,
  run: async ({ source, target, ifExists }, { files, signal, log }) => {
    signal.throwIfAborted();
    const moved = await files.move(source, target, { overwrite: ifExists === 'replace' });
    log(`Moved ${source} to ${moved.path}`);
    return { ...moved };
  },
});
