import { createHash } from 'node:crypto';
import { posix } from 'node:path';

/** Bytes of the name that a temporary one shows: with the rest it stays below 255 bytes. */
const shownBytes = 200;

/**
 * The name under which a file is written until it is complete: hidden, in the folder of its target, the same for every
 * attempt of the step with the same version of the file. So an attempt finds what the one before it has left, and never goes on
 * with another version.
 */
export function temporaryRemotePath(target: string, { key, fileset }: { key: string; fileset: string }): string {
  const id = createHash('sha256')
    .update(JSON.stringify([key, fileset, target]))
    .digest('hex')
    .slice(0, 16);
  const name = Buffer.from(posix.basename(target))
    .subarray(0, shownBytes)
    .toString()
    .replace(/\uFFFD+$/u, '');
  return posix.join(posix.dirname(target), `.${name}.${id}.part`);
}
