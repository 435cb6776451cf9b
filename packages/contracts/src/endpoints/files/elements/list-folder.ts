import { defineEndpoint } from '../../endpoint.ts';
import { elementPathSchema } from '../shapes/element-path.ts';
import { folderListingQuerySchema, folderListingSchema } from './folder-listing.ts';

/** D9: list a folder. */
export const listFolderEndpoint = defineEndpoint({
  id: 'listFolder',
  tag: 'Files: folders',
  method: 'GET',
  path: '/2.0/directories{/*path}',
  summary: 'List a folder',
  authentication: { kind: 'login-session' },
  params: elementPathSchema,
  query: folderListingQuerySchema,
  responses: { 200: { description: 'One page of the folder', body: { kind: 'json', schema: folderListingSchema } } },
  errors: ['connection_contract_missing', 'no_list_permission', 'path_not_found'],
  invalidRequestCode: 'file_request_invalid',
});
