import { gunzipSpecification } from '@waybill/contracts/tasks/archive-specifications';
import { defineTask } from '../define-task.ts';
import { gunzipped } from './gunzipped.ts';

/** Decompresses a file. zlib works off the event loop. */
export const gunzipTask = defineTask({
  ...gunzipSpecification,
  run: async ({ source, target, ifExists, ...limits }, { files, signal, log }) => {
    const written = await files.written(target);
    if (written) {
      log(`An earlier attempt has written ${target}`);
      return { ...written };
    }
    await using file = await files.open(source);
    const content = gunzipped(file, limits, signal);
    const result = await files.write(target, content, 'application/octet-stream', {
      overwrite: ifExists === 'replace',
    });
    log(`Decompressed ${source} (${file.size} bytes) into ${result.path} (${result.size} bytes)`);
    return { ...result };
  },
});
