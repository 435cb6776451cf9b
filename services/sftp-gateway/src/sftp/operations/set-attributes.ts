import { keepMetadata } from '@waybill/user-files/entries/keep-metadata';
import { setModifiedAt } from '@waybill/user-files/entries/set-modified-at';
import { findEntry, findWritten } from '../../domain/files/find-entry.ts';
import { truncateFile } from '../../domain/files/truncate-file.ts';
import { metadataOfAttributes } from './attributes.ts';
import { okResponse, type Operation, type RequestOf } from './operation.ts';
import { pathOfRequest } from './paths.ts';
import { setAttributesOfOpen, setAttributesOfWritten } from './set-attributes-of-open.ts';

/**
 * SETSTAT. The modification time is stored. Modes and owners are stored as metadata of files without any other effect,
 * since ACLs decide. A different size creates a new version of the file; the present size changes nothing.
 */
export const setPathAttributes: Operation<RequestOf<'setstat'>> = async (request, { files }) => {
  const path = pathOfRequest(request.path);
  const { size, times } = request.attributes;
  // Some clients use the path of a file that they have open: they mean the file being written.
  const written = await findWritten(files, path);
  if (written !== undefined) {
    await setAttributesOfWritten(files, written, request.attributes);
    return okResponse(request);
  }
  const entry = await findEntry(files, path);
  const isResized = size !== undefined && size !== entry.size;
  if (isResized) await truncateFile(files, path, size);
  const metadata = metadataOfAttributes(request.attributes);
  if (metadata !== undefined) await keepMetadata(files, path, metadata);
  if (times !== undefined) {
    const { id } = (isResized ? await findEntry(files, path) : entry).identity;
    await setModifiedAt(files, path, { modifiedAt: new Date(times.modified * 1000), id });
  }
  return okResponse(request);
};

/** FSETSTAT. */
export const setHandleAttributes: Operation<RequestOf<'fsetstat'>> = async (request, { files, handles }) => {
  await setAttributesOfOpen(files, handles.get(request.handle), request.attributes);
  return okResponse(request);
};
