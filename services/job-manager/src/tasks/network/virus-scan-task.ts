import { CodedError } from '@waybill/contracts/errors/coded-error';
import { virusScanSpecification } from '@waybill/contracts/tasks/scan-specifications';
import { defineTask } from '../define-task.ts';

/** Lets a scanner judge a file. It has no effects: a repeated step scans again. */
export const virusScanTask = defineTask({
  ...virusScanSpecification,
  run: async ({ connection, source }, { files, connections, signal, log }) => {
    await using file = await files.open(source);
    const scan = await connections.scan(connection, file.content(), signal);
    if (!scan.isClean) throw new CodedError('file_infected', { detail: `${source} is infected: ${scan.found}` });
    log(`Scanned ${source} (${file.size} bytes): nothing was found`);
    return { path: source, fileset: file.fileset, size: String(file.size) };
  },
});
