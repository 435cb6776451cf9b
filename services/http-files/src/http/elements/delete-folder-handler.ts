import type { deleteFolderEndpoint } from '@waybill/contracts/endpoints/files/elements/delete-folder';
import type { SessionHandler } from '@waybill/http-kit/routing/bind-session-endpoint';
import type { Caller } from '../../domain/access/caller.ts';
import { elementTargetOf } from '../../domain/access/file-target.ts';
import type { createRemoveFolder } from '../../domain/elements/remove-folder.ts';
import { fileResult } from '../file-result.ts';

/** Deleting a folder. */
export function deleteFolderHandler(
  removeFolder: ReturnType<typeof createRemoveFolder>,
): SessionHandler<typeof deleteFolderEndpoint, Caller> {
  return async ({ params, query, principal: caller }) => {
    await removeFolder(caller, elementTargetOf(params.path), query);
    return { status: 200, body: fileResult('Folder deleted') };
  };
}
