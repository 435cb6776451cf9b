import type { MetadataValues } from '@waybill/contracts/endpoints/files/elements/metadata-values';
import { parseMetadata } from '@waybill/filebox/entries/system-metadata';
import type { Filebox } from '@waybill/filebox/filebox';
import type { FileEntry } from '@waybill/filebox/model/entry';
import { setMetadata } from '@waybill/user-files/entries/set-metadata';
import type { Caller } from '../access/caller.ts';
import type { FileTarget } from '../access/file-target.ts';
import { fileUserOf, namingFile } from '../access/file-user-of.ts';
import type { ServerPlace } from '../access/origin-of.ts';
import { assertPreconditions, isConditional, type Preconditions } from '../access/preconditions.ts';

/** What updating works with. */
export interface UpdateMetadataPorts {
  readonly filebox: Pick<Filebox, 'setMetadata' | 'find'>;
  readonly server: ServerPlace;
}

/**
 * Adds metadata to a file, or replaces the values of keys that it has.
 * @throws CodedError `filename_missing`, `precondition_failed`, and as `setMetadata` of `user-files` does
 */
export type UpdateMetadata = (
  caller: Caller,
  target: FileTarget,
  change: { values: MetadataValues; conditions: Preconditions },
) => Promise<FileEntry>;

/** Changes metadata in a filebox. */
export function createUpdateMetadata(ports: UpdateMetadataPorts): UpdateMetadata {
  return async (caller, { path }, { values, conditions }) => {
    // What is wrong with the values comes before what is wrong with the path.
    parseMetadata(values);
    const user = fileUserOf(ports, caller);
    const check = (found: FileEntry): void => assertPreconditions(conditions, found);
    return namingFile(() => setMetadata(user, path, values, { check, asksVersion: isConditional(conditions) }));
  };
}
