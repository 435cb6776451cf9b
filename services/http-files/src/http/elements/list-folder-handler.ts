import type { listFolderEndpoint } from '@waybill/contracts/endpoints/files/elements/list-folder';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import type { SessionHandler } from '@waybill/http-kit/routing/bind-session-endpoint';
import type { Caller } from '../../domain/access/caller.ts';
import type { ListFolder } from '../../domain/elements/list-folder.ts';
import { elementAddress, presentElements } from './present-elements.ts';

/** D9. */
export function createListFolderHandler(ports: {
  listFolder: ListFolder;
}): SessionHandler<typeof listFolderEndpoint, Caller> {
  return async ({ params, query: { attributes, ...query }, principal: caller, baseUrl }) => {
    const page = await ports.listFolder(caller.mounts, parseVirtualPath(params.path), query);
    return {
      status: 200,
      body: {
        uri: elementAddress(baseUrl, 'directories', page.path),
        totalCount: String(page.totalCount),
        files: presentElements(page, { baseUrl, attributes }),
      },
    };
  };
}
