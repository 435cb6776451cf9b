import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import { systemMetadataPrefix } from '@waybill/filebox/entries/system-metadata';
import type { FileEntry } from '@waybill/filebox/model/entry';
import { mayAskFor, requireVersionSight } from '../permissions/disclosure.ts';
import { openFilePlace } from '../permissions/file-access.ts';
import type { FileUser } from '../permissions/file-user.ts';
import { missingFile } from '../permissions/refusals.ts';
import { requirePermission } from '../permissions/require-permission.ts';
import { restatePathError } from '../permissions/restate-path-error.ts';

/** A date that has come deletes the file. */
const expiryKey = `${systemMetadataPrefix}EXPIRY_DATE`;

/** How metadata is set. `announce`: contracts start by it. `asksVersion`: `check` looks at the version that is changed. */
export interface MetadataOptions {
  readonly announce?: boolean;
  readonly asksVersion?: boolean;
  readonly check?: (file: FileEntry) => void;
}

/**
 * Adds metadata to a file, or replaces the values of keys that it has. The expiry date is set by users who may delete the file.
 * For users who may not ask for them, the files of others do not exist.
 * @throws CodedError `no_write_permission`, `no_list_permission`, `path_not_found`, `file_not_found`, `not_a_file`,
 * `metadata_key_refused`
 */
export async function setMetadata(
  user: FileUser<'setMetadata'>,
  path: VirtualPath,
  values: Readonly<Record<string, string>>,
  { announce = true, asksVersion = false, check }: MetadataOptions = {},
): Promise<FileEntry> {
  const access = await user.access();
  if (user.door.checksInOrder) await openFilePlace(user, path, 'upload');
  const location = await requirePermission(user, access, path, 'upload');
  if (Object.hasOwn(values, expiryKey) && !access.decide(path, 'delete').allowed) {
    const detail = `${expiryKey} of a file that is there can be set by users who may delete it`;
    throw new CodedError('no_write_permission', { detail });
  }
  if (asksVersion) requireVersionSight(access, path);
  const isKnown = (file: FileEntry) => file.owner === user.userName || mayAskFor(user, access, path);
  return restatePathError([{ path, location }], () =>
    user.store.setMetadata(location.vfs.id, location.path, values, {
      origin: user.originAt(location),
      announce,
      check: (file) => {
        if (!isKnown(file)) throw missingFile(path);
        check?.(file);
      },
    }),
  );
}
