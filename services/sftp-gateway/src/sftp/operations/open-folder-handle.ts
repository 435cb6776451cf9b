import { findEntry } from '../../domain/files/find-entry.ts';
import { openFolder } from '../../domain/files/open-folder.ts';
import { namedPlace } from '../../domain/files/user-tree.ts';
import type { Operation, RequestOf } from './operation.ts';
import { pathOfRequest } from './path-of-request.ts';

/** OPENDIR. */
export const openFolderHandle: Operation<RequestOf<'opendir'>> = async ({ id, path }, { files, handles }) => {
  handles.requireRoom();
  const userPath = pathOfRequest(path);
  const description = await findEntry(files, userPath);
  const listing = await openFolder(files, userPath);
  const place = files.openFiles.open(namedPlace(userPath, (await files.access()).locate(userPath)));
  return { type: 'handle', id, handle: handles.add({ kind: 'folder', place, listing, description }) };
};
