import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { type FilePlace, nameOfPlace } from '@waybill/contracts/tasks/file-place';

/** The path of a sent file: a target that ends with a slash gets the name of the source. @throws CodedError `validation_failed` */
export function remoteTarget(target: string, source: FilePlace): string {
  const path = target.endsWith('/') ? posix.join(target, nameOfPlace(source)) : posix.normalize(target);
  if (['', '.', '..'].includes(posix.basename(path))) {
    throw new CodedError('validation_failed', { detail: `target: ${JSON.stringify(target)} names no file` });
  }
  return path;
}

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
