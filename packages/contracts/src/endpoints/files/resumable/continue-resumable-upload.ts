import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { resumableUploadHeaders, resumableUploadProgress } from './resumable-upload-headers.ts';
import { resumableUploadIdSchema } from './resumable-upload-id.ts';

/** Extension of the interface: continue an upload (tus 1.0 and its checksum extension). */
export const continueResumableUploadEndpoint = defineEndpoint({
  id: 'continueResumableUpload',
  tag: 'Files: resumable uploads',
  method: 'PATCH',
  path: '/2.0/uploads/:upload',
  summary: 'Continue a resumable upload',
  description:
    'If the request is interrupted, the received bytes are kept; with a checksum, the body is kept as a whole or not at all. The last ' +
    'byte stores the file: the response has the headers of the stored file. `Upload-Length` sets a length that was deferred.',
  authentication: { kind: 'login-session' },
  params: resumableUploadIdSchema,
  headers: z.object({
    'tus-resumable': resumableUploadHeaders['tus-resumable'].optional(),
    'upload-offset': resumableUploadHeaders['upload-offset'],
    'upload-length': resumableUploadHeaders['upload-length'].optional(),
    'upload-checksum': resumableUploadHeaders['upload-checksum'].optional(),
  }),
  body: { kind: 'stream', mediaTypes: ['application/offset+octet-stream'] },
  responses: {
    204: {
      description: 'Stored; if the upload is complete, with the headers of the stored file',
      headers: z.object(resumableUploadProgress),
      body: { kind: 'none' },
    },
  },
  errors: [
    'connection_contract_missing',
    'upload_unknown',
    'upload_in_progress',
    'upload_offset_mismatch',
    'upload_is_final',
    'checksum_mismatch',
    'protocol_version_unsupported',
    'payload_too_large',
    'file_request_invalid',
    'filename_missing',
    'no_write_permission',
    'path_not_found',
    'precondition_failed',
    'byte_limit_reached',
    'file_limit_reached',
    'storage_full',
  ],
});
