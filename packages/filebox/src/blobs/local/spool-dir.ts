import { join } from 'node:path';

/** The folder for unnamed files, beside the blobs of the class `local`. */
export function spoolDirIn(blobDir: string): string {
  return join(blobDir, 'spool');
}
