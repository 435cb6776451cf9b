import { CodedError } from '@waybill/contracts/errors/coded-error';
import { nameOfPlace } from '@waybill/contracts/tasks/file-place';
import { checksumSpecification } from '@waybill/contracts/tasks/task-specifications';
import { textBytes } from '../bytes-of.ts';
import { defineTask } from '../define-task.ts';
import { checksumIn } from './checksum-file.ts';
import { readSmall } from './read-small.ts';

const program = new URL('checksum-computation.ts', import.meta.url);

/** Bytes of a file with checksums. */
const checksumFileBytes = 65_536;

/** Computes the checksum of a file in a worker thread, compares it and writes it. A repeated step computes it again. */
export const checksumTask = defineTask({
  ...checksumSpecification,
  run: async ({ source, algorithm, expected, compareWith, writeTo }, { files, compute, signal, log }) => {
    const wanted = expected === undefined ? [] : [expected.toLowerCase()];
    if (compareWith !== undefined) {
      const listed = (await readSmall(files, compareWith, checksumFileBytes)).toString();
      wanted.push(checksumIn(listed, { name: nameOfPlace(source), place: compareWith }));
    }
    await using file = await files.open(source);
    const order = { program, parameters: { algorithm }, input: file.content() };
    const { checksum = '' } = await compute(order, signal);
    log(`Computed the ${algorithm} of ${source} (${file.size} bytes)`);
    const other = wanted.find((one) => one !== checksum);
    if (other !== undefined) {
      const detail = `The ${algorithm} of ${source} is ${checksum}, and ${other} is expected`;
      throw new CodedError('checksum_mismatch', { detail });
    }
    if (writeTo !== undefined && !(await files.written(writeTo))) {
      await files.write(writeTo, textBytes(`${checksum}  ${nameOfPlace(source)}\n`), 'text/plain; charset=utf-8');
    }
    return { path: source, size: String(file.size), algorithm, checksum, verified: wanted.length > 0 };
  },
});
