import { CodedError } from '@waybill/contracts/errors/coded-error';
import { findEntry } from '../../domain/files/find-entry.ts';
import { namedPlace } from '../../domain/files/handles/open-place.ts';
import { openFolder } from '../../domain/files/open-folder.ts';
import { nameOfEntry } from './attributes.ts';
import { endResponse, type Operation, type RequestOf } from './operation.ts';
import { pathOfRequest } from './paths.ts';

/** OPENDIR. */
export const openFolderHandle: Operation<RequestOf<'opendir'>> = async ({ id, path }, { files, handles }) => {
  handles.requireRoom();
  const userPath = pathOfRequest(path);
  const description = await findEntry(files, userPath);
  const listing = await openFolder(files, userPath);
  const place = files.openFiles.open(namedPlace(userPath, (await files.access()).locate(userPath)));
  return { type: 'handle', id, handle: handles.add({ kind: 'folder', place, listing, description }) };
};

/** READDIR: the next page of names. */
export const readFolder: Operation<RequestOf<'readdir'>> = async (request, { handles }) => {
  const open = handles.get(request.handle);
  if (open.kind !== 'folder') throw new CodedError('not_a_folder');
  const page = await open.listing.nextPage();
  if (page.length === 0) return endResponse(request);
  return { type: 'name', id: request.id, entries: page.map((entry) => nameOfEntry(entry)) };
};
