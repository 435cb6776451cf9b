import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { elementPathSchema } from '../shapes/element-path.ts';
import { fileResultSchema } from '../shapes/file-result.ts';
import { storedHeadersSchema } from './stored-headers.ts';
import { uploadHeadersSchema } from './upload-headers.ts';

/** D3: store a file under the name that its part carries, with metadata. */
export const uploadFileWithMetadataEndpoint = defineEndpoint({
  id: 'uploadFileWithMetadata',
  tag: 'Files',
  method: 'POST',
  path: '/2.0/files{/*path}',
  summary: 'Store a file with metadata',
  description:
    'The path is the folder; the name of the file is the `filename` of its part. A file of that name is replaced. The file and ' +
    'its metadata become visible together. As an extension of the interface, `If-Match`, `If-None-Match`, `If-Unmodified-Since` and ' +
    '`Idempotency-Key` are supported.',
  authentication: { kind: 'login-session' },
  params: elementPathSchema,
  headers: uploadHeadersSchema,
  body: {
    kind: 'stream',
    mediaTypes: ['multipart/form-data'],
    schema: z.object({
      file: z.string().describe('Content of the file').meta({ format: 'binary', example: 'id,amount' }),
      metadata: z
        .string()
        .optional()
        .describe('JSON object of keys and values, Generic and of the system class')
        .meta({ example: '{"BUSINESS_UNIT":"Accounting","SPFB_SP2_FILE_SYS_MD.DESCRIPTION":"Invoices of March"}' }),
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
    'metadata_key_refused',
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
