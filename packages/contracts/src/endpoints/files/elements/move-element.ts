import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { conditionHeadersSchema } from '../shapes/condition-headers.ts';
import { fileResultSchema } from '../shapes/file-result.ts';

/** Beyond the interface: give a file or a folder another name or place. */
export const moveElementEndpoint = defineEndpoint({
  id: 'moveElement',
  tag: 'Files: folders',
  method: 'POST',
  path: '/2.0/move',
  summary: 'Rename or move a file or a folder',
  description:
    'At once or not at all, however much is in a folder. The file stays the same one: its fileset, metadata and dates are ' +
    'kept. The old path needs the permission to rename; another folder, a name with rules of its own, and a file that is ' +
    'replaced, the one to write (a file) or to create folders and to write (a folder). Not to overwrite needs the one to list. ' +
    'Conditions (`If-Match` and its kin) are about what is moved.',
  authentication: { kind: 'login-session' },
  headers: conditionHeadersSchema,
  body: {
    kind: 'json',
    schema: z.object({
      from: z.string().describe('Virtual path that it has, not encoded').meta({ example: 'inbox/invoice.csv' }),
      to: z.string().describe('Virtual path that it is to have, not encoded').meta({ example: 'inbox/sent/march.csv' }),
      overwrite: z
        .boolean()
        .default(false)
        .describe('Whether a file may take the place of another file; a folder never does')
        .meta({ example: false }),
    }),
  },
  responses: { 200: { description: 'Moved', body: { kind: 'json', schema: fileResultSchema } } },
  errors: [
    'connection_contract_missing',
    'filename_missing',
    'no_rename_permission',
    'no_list_permission',
    'no_write_permission',
    'no_create_folder_permission',
    'path_not_found',
    'file_not_found',
    'precondition_failed',
    'already_exists',
    'depth_limit_reached',
    'operation_unsupported',
  ],
  invalidRequestCode: 'file_request_invalid',
});
