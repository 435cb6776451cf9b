import { defineEndpoint } from '../../endpoint.ts';
import { conditionHeadersSchema } from '../shapes/condition-headers.ts';
import { elementPathSchema } from '../shapes/element-path.ts';
import { deletedResult, fileResultSchema } from '../shapes/file-result.ts';

/** D5: delete a file permanently. */
export const deleteFileEndpoint = defineEndpoint({
  id: 'deleteFile',
  tag: 'Files',
  method: 'DELETE',
  path: '/2.0/files{/*path}',
  summary: 'Delete a file',
  description: 'As an extension of the interface, `If-Match`, `If-None-Match` and `If-Unmodified-Since` are supported.',
  authentication: { kind: 'login-session' },
  params: elementPathSchema,
  headers: conditionHeadersSchema,
  responses: { 200: { description: 'Deleted permanently', body: { kind: 'json', schema: fileResultSchema } } },
  alreadyDeleted: { code: 'file_not_found', status: 200, body: deletedResult },
  errors: [
    'connection_contract_missing',
    'delete_request_invalid',
    'no_delete_permission',
    'no_list_permission',
    'path_not_found',
    'file_not_found',
    'precondition_failed',
  ],
  invalidRequestCode: 'delete_request_invalid',
});
