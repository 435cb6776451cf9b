import type { Filebox } from '@waybill/filebox/filebox';
import type { FileEntry } from '@waybill/filebox/model/entry';
import { removeFile } from '@waybill/user-files/entries/remove-file';
import { missingFile } from '@waybill/user-files/permissions/refusals';
import type { Caller } from '../access/caller.ts';
import type { FileTarget } from '../access/file-target.ts';
import { fileUserOf, namingFile } from '../access/file-user-of.ts';
import type { ServerPlace } from '../access/origin-of.ts';
import { assertPreconditions, isConditional, type Preconditions } from '../access/preconditions.ts';

/** What removing works with. */
export interface RemoveFilePorts {
  readonly filebox: Pick<Filebox, 'deleteFile' | 'find'>;
  readonly server: ServerPlace;
}

/** Deletes a file for good and answers what it was. @throws CodedError `precondition_failed`, and as `removeFile` of `user-files` does */
export type RemoveFile = (caller: Caller, target: FileTarget, conditions: Preconditions) => Promise<FileEntry>;

/** Deletes files of a filebox. */
export function createRemoveFile(ports: RemoveFilePorts): RemoveFile {
  return async (caller, { path }, conditions) => {
    const check = (found: FileEntry): void => assertPreconditions(conditions, found);
    const options = { check, asksVersion: isConditional(conditions) };
    const { file } = await namingFile(() => removeFile(fileUserOf(ports, caller), path, options));
    // Only an unfinished upload was there, which callers do not see.
    if (file === undefined) throw missingFile(path);
    return file;
  };
}
