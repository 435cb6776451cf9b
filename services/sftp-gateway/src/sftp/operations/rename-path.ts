import { renameEntry } from '../../domain/files/rename-entry.ts';
import { okResponse, type Operation, type RequestOf } from './operation.ts';
import { pathOfRequest } from './paths.ts';

/** RENAME, which replaces nothing, and posix-rename@openssh.com, which replaces a file (OpenSSH PROTOCOL, section 4.3). */
export const renamePath: Operation<RequestOf<'rename' | 'posix-rename'>> = async (request, { files }) => {
  await renameEntry(files, {
    from: pathOfRequest(request.oldPath),
    to: pathOfRequest(request.newPath),
    overwrite: request.type === 'posix-rename',
  });
  return okResponse(request);
};
