import { writeFileSpecification } from '@waybill/contracts/tasks/task-specifications';
import { textBytes } from '../bytes-of.ts';
import { defineTask } from '../define-task.ts';

/** Writes a text. */
export const writeFileTask = defineTask({
  ...writeFileSpecification,
  run: async ({ path, text, mediaType }, { files, log }) => {
    const earlier = await files.written(path);
    const result = earlier ?? (await files.write(path, textBytes(text), mediaType));
    log(earlier ? `An earlier attempt has written ${path}` : `Wrote ${result.size} bytes into ${result.path}`);
    return { ...result };
  },
});
