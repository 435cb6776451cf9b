import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { elementPathSchema } from '../shapes/element-path.ts';
import { deletedResult, fileResultSchema } from '../shapes/file-result.ts';

/** Extension of the interface: delete a folder. */
export const deleteFolderEndpoint = defineEndpoint({
  id: 'deleteFolder',
  tag: 'Files: folders',
  method: 'DELETE',
  path: '/2.0/folders{/*path}',
  summary: 'Delete a folder',
  description:
    'Deletes an empty folder, or with `recursive` a folder with its whole content, atomically. The latter requires the ' +
    'permission to delete everything below it.',
  authentication: { kind: 'login-session' },
  params: elementPathSchema,
  query: z.object({
    recursive: z
      .enum(['true', 'false'])
      .default('false')
      .transform((text) => text === 'true')
      .describe('Delete the content of the folder, too')
      .meta({ example: 'true' }),
  }),
  responses: { 200: { description: 'Deleted permanently', body: { kind: 'json', schema: fileResultSchema } } },
  alreadyDeleted: { code: 'path_not_found', status: 200, body: deletedResult },
  errors: [
    'connection_contract_missing',
    'filename_missing',
    'no_delete_permission',
    'path_not_found',
    'not_a_folder',
    'folder_not_empty',
  ],
  invalidRequestCode: 'file_request_invalid',
});
