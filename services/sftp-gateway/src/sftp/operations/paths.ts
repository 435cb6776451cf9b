import { CodedError } from '@waybill/contracts/errors/coded-error';
import { resolveVirtualPath, rootPath, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { SftpResponse } from '@waybill/sftp-protocol/responses/sftp-response';
import { renameEntry } from '../../domain/files/rename-entry.ts';
import { type Operation, type RequestOf, okResponse } from './operation.ts';

/**
 * SFTP has no current folder: a relative path starts at the user's home, which is the root. @throws CodedError
 * `path_invalid`
 */
export function pathOfRequest(bytes: Buffer): VirtualPath {
  return resolveVirtualPath(rootPath, bytes);
}

/** NAME with a path and no attributes, as for REALPATH (draft-ietf-secsh-filexfer-02, section 6.11). */
function pathResponse(id: number, path: VirtualPath): SftpResponse {
  return { type: 'name', id, entries: [{ filename: path, longname: path, attributes: {} }] };
}

/** REALPATH: the absolute form of a path, whether or not it exists (draft-ietf-secsh-filexfer-02, section 6.11). */
export const realPath: Operation<RequestOf<'realpath'>> = async ({ id, path }) => pathResponse(id, pathOfRequest(path));

const tilde = /^~([^/]*)/u;

/**
 * expand-path@openssh.com (OpenSSH PROTOCOL, section 4.9): REALPATH with `~` and `~user`, for the user's own name only.
 */
export const expandPath: Operation<RequestOf<'expand-path'>> = async ({ id, path }, { files }) => {
  const [prefix, userName] = tilde.exec(path.toString('latin1')) ?? [];
  if (prefix === undefined) return pathResponse(id, pathOfRequest(path));
  if (userName && Buffer.from(userName, 'latin1').toString() !== files.userName) {
    throw new CodedError('path_not_found', { detail: 'Only your own home folder can be asked for' });
  }
  return pathResponse(id, pathOfRequest(Buffer.concat([Buffer.from('/'), path.subarray(prefix.length)])));
};

/**
 * home-directory (draft-ietf-secsh-filexfer-extensions-00, section 5): the root. The existence of other users is not
 * disclosed.
 */
export const homeDirectory: Operation<RequestOf<'home-directory'>> = async ({ id, userName }, { files }) => {
  if (userName.length > 0 && userName.toString() !== files.userName) {
    throw new CodedError('path_not_found', { detail: 'Only your own home folder can be asked for' });
  }
  return pathResponse(id, rootPath);
};

/** RENAME, which replaces nothing, and posix-rename@openssh.com, which replaces a file (OpenSSH PROTOCOL, section 4.3). */
export const renamePath: Operation<RequestOf<'rename' | 'posix-rename'>> = async (request, { files }) => {
  await renameEntry(files, {
    from: pathOfRequest(request.oldPath),
    to: pathOfRequest(request.newPath),
    overwrite: request.type === 'posix-rename',
  });
  return okResponse(request);
};
