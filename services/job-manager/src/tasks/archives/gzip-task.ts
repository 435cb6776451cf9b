import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { gzipSpecification } from '@waybill/contracts/tasks/task-specifications';
import { bytesOf } from '../bytes-of.ts';
import { defineTask } from '../define-task.ts';

/** Compresses a file. The bytes pass through: memory does not grow with the file, and zlib works off the event loop. */
export const gzipTask = defineTask({
  ...gzipSpecification,
  run: async ({ source, target }, { files, signal, log }) => {
    const written = await files.written(target);
    if (written) {
      log(`An earlier attempt has written ${target}`);
      return { ...written };
    }
    await using file = await files.open(source);
    const result = await pipeline(
      bytesOf(file, signal),
      createGzip(),
      (compressed: AsyncIterable<Buffer>) => files.write(target, compressed, 'application/gzip'),
      { signal },
    );
    log(`Compressed ${source} (${file.size} bytes) into ${result.path} (${result.size} bytes)`);
    return { ...result };
  },
});
