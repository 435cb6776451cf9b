import { defineEndpoint } from '../../endpoint.ts';
import { conditionHeadersSchema } from '../shapes/condition-headers.ts';
import { elementPathSchema } from '../shapes/element-path.ts';
import { fileResultSchema } from '../shapes/file-result.ts';
import { metadataValuesSchema } from './metadata-values.ts';

/** D6: add metadata to a file, or replace the values of keys that it has. */
export const updateMetadataEndpoint = defineEndpoint({
  id: 'updateMetadata',
  tag: 'Files: metadata',
  method: 'POST',
  path: '/2.0/metadata{/*path}',
  summary: 'Add or replace metadata',
  description:
    'Setting the expiry date of an existing file also requires the permission to delete. As an extension of the interface, `If-Match`, ' +
    '`If-None-Match` and `If-Unmodified-Since` are understood.',
  authentication: { kind: 'login-session' },
  params: elementPathSchema,
  headers: conditionHeadersSchema,
  body: { kind: 'json', limitValues: 1_000, schema: metadataValuesSchema },
  responses: { 200: { description: 'Updated', body: { kind: 'json', schema: fileResultSchema } } },
  errors: [
    'connection_contract_missing',
    'filename_missing',
    'file_request_invalid',
    'metadata_key_refused',
    'no_write_permission',
    'no_list_permission',
    'path_not_found',
    'file_not_found',
    'precondition_failed',
  ],
  invalidRequestCode: 'file_request_invalid',
});
