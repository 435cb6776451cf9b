import { CodedError } from '@waybill/contracts/errors/coded-error';
import { nameOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Queryable } from '@waybill/postgres/database';
import type { FolderEntry } from '../model/entry.ts';
import { findEntry } from './find-entry.ts';

/** The folder at a path. @throws CodedError `path_not_found`, `not_a_folder` */
export async function requireFolder(db: Queryable, vfsId: string, path: VirtualPath): Promise<FolderEntry> {
  const entry = await findEntry(db, vfsId, path);
  const names = { path, file: nameOf(path) };
  if (!entry) throw new CodedError('path_not_found', { names });
  if (entry.kind !== 'folder') throw new CodedError('not_a_folder', { names });
  return entry;
}
