import { CodedError } from '@waybill/contracts/errors/coded-error';
import { nameOfEntry } from './name-of-entry.ts';
import type { Operation, RequestOf } from './operation.ts';
import { endResponse } from './status-response.ts';

/** READDIR: the next page of names. */
export const readFolder: Operation<RequestOf<'readdir'>> = async (request, { handles }) => {
  const open = handles.get(request.handle);
  if (open.kind !== 'folder') throw new CodedError('not_a_folder');
  const page = await open.listing.nextPage();
  if (page.length === 0) return endResponse(request);
  return { type: 'name', id: request.id, entries: page.map((entry) => nameOfEntry(entry)) };
};
