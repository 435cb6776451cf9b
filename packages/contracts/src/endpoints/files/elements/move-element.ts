import { z } from 'zod';
import { longTextsBytes } from '../../body-limits.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { conditionHeadersSchema } from '../shapes/condition-headers.ts';
import { fileResultSchema } from '../shapes/file-result.ts';

/** Extension of the interface: rename or move a file or a folder. */
export const moveElementEndpoint = defineEndpoint({
  id: 'moveElement',
  tag: 'Files: folders',
  method: 'POST',
  path: '/2.0/move',
  summary: 'Rename or move a file or a folder',
  description:
    'Atomic, whatever the size of a folder. A file keeps its fileset, metadata and dates. Requires the permission to rename on the ' +
    'old path. If the folder changes, the new name has its own rules, or a file is replaced, it also requires the permission to ' +
    'write (a file), or to create folders and to write (a folder), on the new path. Without `overwrite`, it requires the permission ' +
    'to list. Conditions (`If-Match` and similar) apply to the element that is moved.',
  authentication: { kind: 'login-session' },
  headers: conditionHeadersSchema,
  body: {
    kind: 'json',
    limitBytes: longTextsBytes,
    schema: z.object({
      from: z.string().describe('Current virtual path, not encoded').meta({ example: 'inbox/invoice.csv' }),
      to: z.string().describe('New virtual path, not encoded').meta({ example: 'inbox/sent/march.csv' }),
      overwrite: z
        .boolean()
        .default(false)
        .describe('Whether a file may replace another file; a folder never does')
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
