import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { resumableUploadHeaders, resumableUploadProgress } from './resumable-upload-headers.ts';
import { resumableUploadIdSchema } from './resumable-upload-id.ts';

/** Beyond the interface: how far an upload is (tus 1.0). */
export const inspectResumableUploadEndpoint = defineEndpoint({
  id: 'inspectResumableUpload',
  tag: 'Files: resumable uploads',
  method: 'HEAD',
  path: '/2.0/uploads/:upload',
  summary: 'Ask how far a resumable upload is',
  description:
    'The bytes that `Upload-Offset` counts are on disk. When all are there the file is stored, with the headers that say so: if ' +
    'the service died before it could, this request does it.',
  authentication: { kind: 'login-session' },
  params: resumableUploadIdSchema,
  headers: z.object({ 'tus-resumable': resumableUploadHeaders['tus-resumable'].optional() }),
  responses: {
    200: {
      description: 'How far it is',
      headers: z.object({
        'upload-length': resumableUploadHeaders['upload-length'].optional(),
        'upload-defer-length': resumableUploadHeaders['upload-defer-length'].optional(),
        'upload-concat': resumableUploadHeaders['upload-concat'].optional(),
        'upload-metadata': resumableUploadHeaders['upload-metadata'].optional(),
        ...resumableUploadProgress,
      }),
      body: { kind: 'none' },
    },
  },
  errors: [
    'connection_contract_missing',
    'upload_unknown',
    'upload_in_progress',
    'protocol_version_unsupported',
    'filename_missing',
    'no_write_permission',
    'path_not_found',
    'precondition_failed',
    'byte_limit_reached',
    'file_limit_reached',
    'storage_full',
  ],
});
