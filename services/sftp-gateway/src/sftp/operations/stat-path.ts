import { findEntry, findWritten } from '../../domain/files/find-entry.ts';
import { attributesOfEntry } from './attributes-of-entry.ts';
import type { Operation, RequestOf } from './operation.ts';
import { pathOfRequest } from './path-of-request.ts';

/** STAT, and LSTAT alike: there are no symbolic links. What the client has open to be written it sees as FSTAT shows it. */
export const statPath: Operation<RequestOf<'stat' | 'lstat'>> = async (request, { files }) => {
  const path = pathOfRequest(request.path);
  const entry = await findEntry(files, path);
  const open = entry.kind === 'file' ? await findWritten(files, path) : undefined;
  return { type: 'attrs', id: request.id, attributes: attributesOfEntry(open?.describe() ?? entry) };
};
