import type { createFolderEndpoint } from '@waybill/contracts/endpoints/files/elements/create-folder';
import type { SessionHandler } from '@waybill/http-kit/routing/bind-session-endpoint';
import type { Caller } from '../../domain/access/caller.ts';
import { elementTargetOf } from '../../domain/access/file-target.ts';
import type { MakeFolder } from '../../domain/elements/make-folder.ts';
import { fileResult } from '../file-result.ts';

/** Creates a folder. */
export function createCreateFolderHandler(ports: {
  makeFolder: MakeFolder;
}): SessionHandler<typeof createFolderEndpoint, Caller> {
  return async ({ params, principal: caller }) => {
    await ports.makeFolder(caller, elementTargetOf(params.path));
    return { status: 201, body: fileResult('Folder created') };
  };
}
