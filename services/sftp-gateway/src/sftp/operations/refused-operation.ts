import { CodedError } from '@waybill/contracts/errors/coded-error';
import { isAudited } from '@waybill/outbox/refusals/refusal-book';
import { printableText } from '@waybill/service-kit/network/describe-client';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import type { FileSession } from '../../domain/files/session/file-session.ts';
import type { RefusedFact, RefusedOperation } from '../../domain/sessions/session-audit.ts';
import { placeOf, type HandleTable } from './handle-table.ts';
import type { OperationRequest } from './run-operation.ts';

/** Errors that are no decision about the operation. The end of a login is audited by itself. */
const undecided = new Set(['service_unavailable', 'internal_error', 'request_timeout', 'not_authenticated']);

const longestPath = 4_096;

/** What is audited if a request is refused: requests that only look, such as STAT, are not. */
const facts: { readonly [Type in OperationRequest['type']]?: RefusedFact } = {
  write: 'uploadRefused',
  close: 'uploadRefused',
  fsync: 'uploadRefused',
  'copy-data': 'uploadRefused',
  read: 'downloadRefused',
  opendir: 'folderListRefused',
  remove: 'fileDeleteRefused',
  mkdir: 'folderCreateRefused',
  rmdir: 'folderDeleteRefused',
  rename: 'renameRefused',
  'posix-rename': 'renameRefused',
  setstat: 'metadataRefused',
  fsetstat: 'metadataRefused',
};

/** Describes a request while its handle is open; undefined if its refusal is not audited. */
export function describeOperation(
  request: OperationRequest,
  handles: Pick<HandleTable, 'peek'>,
): RefusedOperation | undefined {
  if (request.type === 'open') {
    const writes = (request.flags & (openFlag.write | openFlag.append | openFlag.create)) !== 0;
    return { fact: writes ? 'uploadRefused' : 'downloadRefused', path: textOf(request.path) };
  }
  const fact = facts[request.type];
  if (fact === undefined) return undefined;
  if ('oldPath' in request) return { fact, path: textOf(request.oldPath), newPath: textOf(request.newPath) };
  if ('path' in request) return { fact, path: textOf(request.path) };
  const handle = handles.peek('targetHandle' in request ? request.targetHandle : handleOf(request));
  if (handle === undefined) return undefined;
  const isUpload = handle.kind === 'writing';
  const own = request.type === 'close' && !isUpload ? 'downloadRefused' : fact;
  return { fact: own, path: placeOf(handle).path };
}

/** Audits that an operation was refused, if the error is a decision about it. */
export async function auditRefusal(
  files: Pick<FileSession, 'refused'>,
  error: unknown,
  operation: RefusedOperation | undefined,
): Promise<void> {
  if (operation === undefined || !(error instanceof CodedError)) return;
  if (undecided.has(error.code) || isAudited(error)) return;
  await files.refused(operation, error);
}

function handleOf(request: OperationRequest): Buffer {
  return 'handle' in request ? request.handle : Buffer.alloc(0);
}

function textOf(path: Buffer): string {
  const text = printableText(path.toString(), longestPath);
  return text.startsWith('/') ? text : `/${text}`;
}
