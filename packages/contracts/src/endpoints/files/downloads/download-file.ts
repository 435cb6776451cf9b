import { defineEndpoint } from '../../endpoint.ts';
import { elementPathSchema } from '../shapes/element-path.ts';

/** D4: read a file. */
export const downloadFileEndpoint = defineEndpoint({
  id: 'downloadFile',
  tag: 'Files',
  method: 'GET',
  path: '/2.0/files{/*path}',
  summary: 'Read a file',
  description:
    'Returns the bytes with the stored content type. `Range` (one range), `If-Range`, `HEAD`, and conditions (`If-Match`, ' +
    '`If-None-Match`, `If-Modified-Since`, `If-Unmodified-Since`) are understood (RFC 9110); the `ETag` is the SHA-256 of ' +
    'the file.',
  authentication: { kind: 'login-session' },
  params: elementPathSchema,
  responses: {
    200: { description: 'The file', body: { kind: 'stream', mediaType: 'application/octet-stream' } },
    206: { description: 'The range', body: { kind: 'stream', mediaType: 'application/octet-stream' } },
    304: { description: 'The client has this version already', body: { kind: 'none' } },
  },
  errors: [
    'foreign_page_refused',
    'connection_contract_missing',
    'filename_missing',
    'no_read_permission',
    'path_not_found',
    'file_not_found',
    'precondition_failed',
    'range_not_satisfiable',
    'content_missing',
  ],
  invalidRequestCode: 'file_request_invalid',
});
