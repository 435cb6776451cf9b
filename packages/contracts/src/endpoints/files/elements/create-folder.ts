import { defineEndpoint } from '../../endpoint.ts';
import { elementPathSchema } from '../shapes/element-path.ts';
import { fileResultSchema } from '../shapes/file-result.ts';

/** Extension of the interface: create a folder. */
export const createFolderEndpoint = defineEndpoint({
  id: 'createFolder',
  tag: 'Files: folders',
  method: 'PUT',
  path: '/2.0/folders{/*path}',
  summary: 'Create a folder',
  description: 'The last part of the path is the name of the new folder; its parent folder must exist.',
  authentication: { kind: 'login-session' },
  params: elementPathSchema,
  responses: { 201: { description: 'Created', body: { kind: 'json', schema: fileResultSchema } } },
  errors: [
    'connection_contract_missing',
    'filename_missing',
    'no_create_folder_permission',
    'path_not_found',
    'already_exists',
    'folder_limit_reached',
    'depth_limit_reached',
  ],
  invalidRequestCode: 'file_request_invalid',
});
