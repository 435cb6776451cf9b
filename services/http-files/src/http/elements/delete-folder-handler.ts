import type { deleteFolderEndpoint } from '@waybill/contracts/endpoints/files/elements/delete-folder';
import type { SessionHandler } from '@waybill/http-kit/routing/bind-session-endpoint';
import type { Caller } from '../../domain/access/caller.ts';
import { elementTargetOf } from '../../domain/access/file-target.ts';
import type { RemoveFolder } from '../../domain/elements/remove-folder.ts';
import { fileResult } from '../file-result.ts';

/** Deletes a folder. */
export function createDeleteFolderHandler(ports: {
  removeFolder: RemoveFolder;
}): SessionHandler<typeof deleteFolderEndpoint, Caller> {
  return async ({ params, query, principal: caller }) => {
    await ports.removeFolder(caller, elementTargetOf(params.path), query);
    return { status: 200, body: fileResult('Folder deleted') };
  };
}
