import { joinFilePlace, nameOfPlace } from '@waybill/contracts/tasks/file-place';
import { deliverSpecification } from '@waybill/contracts/tasks/file-specifications';
import { textBytes } from '../bytes-of.ts';
import { defineTask } from '../define-task.ts';

/** Copies a file into the folder of its receiver, and confirms that. */
export const deliverTask = defineTask({
  ...deliverSpecification,
  run: async (
    { source, folder, name = nameOfPlace(source), ifExists, receipt: receiptPlace },
    { files, signal, log },
  ) => {
    signal.throwIfAborted();
    const target = joinFilePlace(folder, name);
    const { path, fileset, size, sha256 } = await files.copy(source, target, {
      overwrite: ifExists === 'replace',
      delivers: true,
    });
    log(`Delivered ${source} (${size} bytes) to ${path}`);
    const confirmed = { source, deliveredTo: path, fileset, size, sha256, confirmedAt: new Date().toISOString() };
    const receipt = JSON.stringify(confirmed, undefined, 2);
    if (receiptPlace !== undefined && !(await files.written(receiptPlace))) {
      await files.write(receiptPlace, textBytes(`${receipt}\n`), 'application/json');
      log(`Wrote the receipt into ${receiptPlace}`);
    }
    return { path, fileset, size, sha256, receipt };
  },
});
