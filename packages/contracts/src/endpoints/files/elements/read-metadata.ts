import { defineEndpoint } from '../../endpoint.ts';
import { elementPathSchema } from '../shapes/element-path.ts';
import { fileMetadataSchema } from './file-metadata.ts';

/** D7: read the metadata of a file. */
export const readMetadataEndpoint = defineEndpoint({
  id: 'readMetadata',
  tag: 'Files: metadata',
  method: 'GET',
  path: '/2.0/metadata{/*path}',
  summary: 'Read the metadata of a file',
  authentication: { kind: 'login-session' },
  params: elementPathSchema,
  responses: { 200: { description: 'The metadata', body: { kind: 'json', schema: fileMetadataSchema } } },
  errors: ['connection_contract_missing', 'filename_missing', 'no_read_permission', 'path_not_found', 'file_not_found'],
  invalidRequestCode: 'file_request_invalid',
});
