import type { MetadataValues } from '@waybill/contracts/endpoints/files/elements/metadata-values';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { parseMetadata, systemMetadataPrefix } from '@waybill/filebox/entries/system-metadata';
import type { Filebox } from '@waybill/filebox/filebox';
import type { FileEntry } from '@waybill/filebox/model/entry';
import type { Caller } from '../access/caller.ts';
import type { FileAccess } from '../access/file-access.ts';
import type { FileTarget } from '../access/file-target.ts';
import { originOf, type ServerPlace } from '../access/origin-of.ts';
import { assertMayAsk, assertPreconditions, type Preconditions } from '../access/preconditions.ts';
import { restatePathError } from '../access/restate-path-error.ts';

/** What updating works with. */
export interface UpdateMetadataPorts {
  readonly filebox: Pick<Filebox, 'setMetadata'>;
  readonly access: FileAccess;
  readonly server: ServerPlace;
}

/** A date that has come deletes the file. */
const expiryKey = `${systemMetadataPrefix}EXPIRY_DATE`;

/**
 * Adds metadata to a file, or replaces the values of keys that it has. When it expires is set by who may delete it. Who
 * may only upload finds here what that user has stored: the files of others are as if they were not there.
 * @throws CodedError `metadata_key_refused`, `precondition_failed`, `no_write_permission`, `no_list_permission`,
 * `path_not_found`, `file_not_found`
 */
export type UpdateMetadata = (
  caller: Caller,
  target: FileTarget,
  change: { values: MetadataValues; conditions: Preconditions },
) => Promise<FileEntry>;

/** Changes metadata in a filebox. */
export function createUpdateMetadata({ filebox, access, server }: UpdateMetadataPorts): UpdateMetadata {
  return async (caller, target, { values, conditions }) => {
    // What is wrong with the values comes before what is wrong with the path.
    parseMetadata(values);
    const may = (permission: 'list' | 'download' | 'delete') => caller.mounts.decide(target.path, permission).allowed;
    const { location, file } = await access.openPlace(caller.mounts, target, 'upload');
    if (Object.hasOwn(values, expiryKey) && !may('delete')) {
      const detail = `${expiryKey} of a file that is there can be set by who may delete it`;
      throw new CodedError('no_write_permission', { detail });
    }
    assertMayAsk(caller, target, conditions);
    const mayKnow = may('list') || may('download') || may('delete');
    const check = (found: FileEntry | undefined): void => {
      if (found === undefined || (!mayKnow && found.owner !== caller.userName)) {
        throw new CodedError('file_not_found', { names: { file: target.name } });
      }
      assertPreconditions(conditions, found);
    };
    check(file);
    const { vfs, path } = location;
    const origin = originOf(server, caller, location);
    return restatePathError([{ target, location }], () => filebox.setMetadata(vfs.id, path, values, { origin, check }));
  };
}
