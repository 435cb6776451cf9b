import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { elementPathSchema } from '../shapes/element-path.ts';
import { fileResultSchema } from '../shapes/file-result.ts';
import { storedHeadersSchema } from './stored-headers.ts';
import { uploadHeadersSchema } from './upload-headers.ts';

/** D2: store a file under the name in the address. */
export const uploadFileEndpoint = defineEndpoint({
  id: 'uploadFile',
  tag: 'Files',
  method: 'PUT',
  path: '/2.0/files{/*path}',
  summary: 'Store a file',
  description:
    'The last part of the path is the name of the file. A file of that name is replaced. Before the response is sent, ' +
    'the file and the events for contracts are stored durably. As an extension of the interface, any body other than a form is the ' +
    'file content, with its content type (`application/octet-stream` without one), and `If-Match`, `If-None-Match`, ' +
    '`If-Unmodified-Since` and `Idempotency-Key` are understood.',
  authentication: { kind: 'login-session' },
  params: elementPathSchema,
  headers: uploadHeadersSchema,
  body: {
    kind: 'stream',
    mediaTypes: ['multipart/form-data', '*/*'],
    schema: z.object({
      file: z.string().describe('Content of the file').meta({ format: 'binary', example: 'id,amount' }),
    }),
  },
  repeatable: { in: 'headers', name: 'idempotency-key' },
  responses: {
    201: { description: 'Stored', headers: storedHeadersSchema, body: { kind: 'json', schema: fileResultSchema } },
  },
  errors: [
    'connection_contract_missing',
    'filename_missing',
    'file_request_invalid',
    'no_write_permission',
    'no_list_permission',
    'path_not_found',
    'precondition_failed',
    'idempotency_key_reused',
    'byte_limit_reached',
    'file_limit_reached',
    'storage_full',
  ],
  invalidRequestCode: 'file_request_invalid',
});
