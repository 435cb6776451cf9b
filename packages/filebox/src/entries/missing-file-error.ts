import { CodedError } from '@waybill/contracts/errors/coded-error';
import { nameOf, parentOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Queryable } from '@waybill/postgres/database';
import { findEntry } from './find-entry.ts';

/** The reason why there is no file at a path: `path_not_found` (its folder), `not_a_file` or `file_not_found`. */
export async function missingFileError(db: Queryable, vfsId: string, path: VirtualPath): Promise<CodedError> {
  const names = { path, file: nameOf(path) };
  const entry = await findEntry(db, vfsId, path);
  if (entry?.kind === 'folder') return new CodedError('not_a_file', { names });
  const folder = await findEntry(db, vfsId, parentOf(path));
  if (folder?.kind !== 'folder') return new CodedError('path_not_found', { names: { ...names, path: parentOf(path) } });
  return new CodedError('file_not_found', { names });
}
