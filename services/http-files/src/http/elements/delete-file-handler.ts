import type { deleteFileEndpoint } from '@waybill/contracts/endpoints/files/elements/delete-file';
import type { SessionHandler } from '@waybill/http-kit/routing/bind-session-endpoint';
import type { Caller } from '../../domain/access/caller.ts';
import { fileTargetOf } from '../../domain/access/file-target.ts';
import type { RemoveFile } from '../../domain/elements/remove-file.ts';
import { dataflowHeader, fileResult } from '../file-result.ts';
import { preconditionsOf } from '../preconditions-of.ts';

/** D5. */
export function createDeleteFileHandler(ports: {
  removeFile: RemoveFile;
}): SessionHandler<typeof deleteFileEndpoint, Caller> {
  return async ({ params, headers, principal: caller }) => {
    const file = await ports.removeFile(caller, fileTargetOf(params.path), preconditionsOf(headers, 'change'));
    return { status: 200, body: fileResult('File deleted', file), headers: dataflowHeader(file.dfic) };
  };
}
