import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { resumableUploadHeaders, resumableUploadProgress } from './resumable-upload-headers.ts';
import { resumableUploadIdSchema } from './resumable-upload-id.ts';

/** Extension of the interface: the progress of an upload (tus 1.0). */
export const inspectResumableUploadEndpoint = defineEndpoint({
  id: 'inspectResumableUpload',
  tag: 'Files: resumable uploads',
  method: 'HEAD',
  path: '/2.0/uploads/:upload',
  summary: 'Get the progress of a resumable upload',
  description:
    'The bytes that `Upload-Offset` counts are on disk. If all bytes have arrived, the file is stored, and the response has the ' +
    'headers of the stored file; if the service stopped before it could store the file, this request stores it.',
  authentication: { kind: 'login-session' },
  params: resumableUploadIdSchema,
  headers: z.object({ 'tus-resumable': resumableUploadHeaders['tus-resumable'].optional() }),
  responses: {
    200: {
      description: 'The progress',
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
