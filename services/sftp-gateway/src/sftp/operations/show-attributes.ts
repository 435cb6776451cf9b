import { findEntry, findWritten } from '../../domain/files/find-entry.ts';
import { attributesOfEntry } from './attributes.ts';
import type { OpenHandle } from './handle-table.ts';
import type { Operation, RequestOf } from './operation.ts';
import { pathOfRequest } from './paths.ts';

/**
 * STAT, and LSTAT with the same result: there are no symbolic links. A file that the client has open for writing is
 * shown as by FSTAT.
 */
export const statPath: Operation<RequestOf<'stat' | 'lstat'>> = async (request, { files }) => {
  const path = pathOfRequest(request.path);
  const entry = await findEntry(files, path);
  const open = entry.kind === 'file' ? await findWritten(files, path) : undefined;
  return { type: 'attrs', id: request.id, attributes: attributesOfEntry(open?.describe() ?? entry) };
};

/**
 * FSTAT. A file being written is shown as STAT will show it after its CLOSE, also on a handle that reads it. A handle that has
 * read the committed version shows that version.
 */
export const statHandle: Operation<RequestOf<'fstat'>> = async ({ id, handle }, { handles }) => ({
  type: 'attrs',
  id,
  attributes: attributesOfEntry(descriptionOf(handles.get(handle))),
});

function descriptionOf(open: OpenHandle) {
  switch (open.kind) {
    case 'writing':
    case 'growing':
      return open.file.describe();
    case 'reading':
      return open.file.description;
    default:
      return open.description;
  }
}
