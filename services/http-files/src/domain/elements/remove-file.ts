import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Filebox } from '@waybill/filebox/filebox';
import type { FileEntry } from '@waybill/filebox/model/entry';
import type { Caller } from '../access/caller.ts';
import type { FileAccess } from '../access/file-access.ts';
import type { FileTarget } from '../access/file-target.ts';
import { originOf, type ServerPlace } from '../access/origin-of.ts';
import { assertMayAsk, assertPreconditions, type Preconditions } from '../access/preconditions.ts';
import { restatePathError } from '../access/restate-path-error.ts';

/** What removing works with. */
export interface RemoveFilePorts {
  readonly filebox: Pick<Filebox, 'deleteFile'>;
  readonly access: FileAccess;
  readonly server: ServerPlace;
}

/** Deletes a file for good and answers what it was. @throws CodedError `precondition_failed`, `no_list_permission` too */
export type RemoveFile = (caller: Caller, target: FileTarget, conditions: Preconditions) => Promise<FileEntry>;

/** Deletes files of a filebox. */
export function createRemoveFile({ filebox, access, server }: RemoveFilePorts): RemoveFile {
  return async (caller, target, conditions) => {
    const place = await access.openFile(caller.mounts, target, 'delete');
    assertMayAsk(caller, target, conditions);
    const { vfs, path } = place.location;
    const origin = originOf(server, caller, place.location);
    const check = (found: FileEntry): void => assertPreconditions(conditions, found);
    const { file } = await restatePathError([place], () => filebox.deleteFile(vfs.id, path, { origin, check }));
    // Somebody else was faster, and only an unfinished upload was there.
    if (file === undefined) throw new CodedError('file_not_found', { names: { file: target.name } });
    return file;
  };
}
