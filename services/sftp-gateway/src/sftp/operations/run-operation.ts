import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { SftpRequest } from '@waybill/sftp-protocol/requests/sftp-request';
import { makeFolder } from '@waybill/user-files/entries/make-folder';
import { removeFolder } from '@waybill/user-files/entries/remove-folder';
import { removeFile } from '../../domain/files/remove-file.ts';
import type { FileSession } from '../../domain/files/session/file-session.ts';
import { checkFileHandle, checkFileName } from './check-file.ts';
import { closeHandle } from './close-handle.ts';
import { copyData } from './copy-data.ts';
import { openFolderHandle, readFolder } from './folders.ts';
import { openFile } from './open-file.ts';
import { okResponse, type Conversation, type Operation, type Reply, type RequestOf } from './operation.ts';
import { expandPath, homeDirectory, pathOfRequest, realPath, renamePath } from './paths.ts';
import { readBytes } from './read-bytes.ts';
import { setHandleAttributes, setPathAttributes } from './set-attributes.ts';
import { statHandle, statPath } from './show-attributes.ts';
import { statFileSystem, statHandleFileSystem } from './stat-file-system.ts';
import { tellLimits } from './tell-limits.ts';
import { syncHandle, writeBytes } from './write-bytes.ts';

/** Every request except INIT, which comes once and first. */
export type OperationRequest = Exclude<SftpRequest, { type: 'init' }>;

type RequestByType = { [Type in OperationRequest['type']]: RequestOf<Type> };

const operations: { readonly [Type in keyof RequestByType]: Operation<RequestByType[Type]> } = {
  open: openFile,
  close: closeHandle,
  read: readBytes,
  write: writeBytes,
  stat: statPath,
  lstat: statPath,
  fstat: statHandle,
  setstat: setPathAttributes,
  fsetstat: setHandleAttributes,
  opendir: openFolderHandle,
  readdir: readFolder,
  remove: changing(removeFile),
  mkdir: changing(makeFolder),
  rmdir: changing(removeFolder),
  realpath: realPath,
  rename: renamePath,
  'posix-rename': renamePath,
  fsync: syncHandle,
  limits: tellLimits,
  statvfs: statFileSystem,
  fstatvfs: statHandleFileSystem,
  'copy-data': copyData,
  'check-file-name': checkFileName,
  'check-file-handle': checkFileHandle,
  'home-directory': homeDirectory,
  'expand-path': expandPath,
  readlink: refuseRequest,
  symlink: refuseRequest,
  extended: refuseRequest,
  unknown: refuseRequest,
};

/**
 * Requests that may run while a download is being recorded; READ and CLOSE themselves check whether they have to wait.
 */
const allowedWhileRecording: ReadonlySet<keyof RequestByType> = new Set([
  'open',
  'close',
  'read',
  'write',
  'stat',
  'lstat',
  'fstat',
  'readdir',
  'realpath',
  'limits',
]);

/** Handles a request. An error becomes a STATUS. */
export async function runOperation<Type extends keyof RequestByType>(
  request: RequestByType[Type] & { readonly type: Type },
  conversation: Conversation,
): Promise<Reply> {
  const recording = allowedWhileRecording.has(request.type) ? undefined : conversation.files.records.settled();
  if (recording !== undefined) await recording;
  return operations[request.type](request, conversation);
}

function changing(
  change: (files: FileSession, path: VirtualPath) => Promise<void>,
): Operation<RequestOf<'remove' | 'mkdir' | 'rmdir'>> {
  return async (request, { files }) => {
    await change(files, pathOfRequest(request.path));
    return okResponse(request);
  };
}

/** Links, extensions that were not announced, and packet types of other protocol versions. */
async function refuseRequest({ type }: RequestOf<'symlink' | 'readlink' | 'extended' | 'unknown'>): Promise<never> {
  const isLink = type === 'symlink' || type === 'readlink';
  throw new CodedError('operation_unsupported', isLink ? { detail: 'There are no symbolic links here' } : {});
}
