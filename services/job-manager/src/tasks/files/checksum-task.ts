import { checksumSpecification } from '@waybill/contracts/tasks/task-specifications';
import { defineTask } from '../define-task.ts';

const program = new URL('checksum-computation.ts', import.meta.url);

/** Computes the checksum of a file in a worker thread. It has no effects: a repeated step computes it again. */
export const checksumTask = defineTask({
  ...checksumSpecification,
  run: async ({ source, algorithm }, { files, compute, signal, log }) => {
    await using file = await files.open(source);
    const order = { program, parameters: { algorithm }, input: file.content() };
    const { checksum = '' } = await compute(order, signal);
    log(`Computed the ${algorithm} of ${source} (${file.size} bytes)`);
    return { path: source, size: String(file.size), algorithm, checksum };
  },
});
