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
  summary: 'Go on with a resumable upload',
  description:
    'What arrived is kept when the request is cut off; with a checksum all of the body counts or nothing. The last byte stores ' +
    'the file, as the other uploads do: the answer has the headers of the stored file. `Upload-Length` tells a length that was deferred.',
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
      description: 'Kept; the headers of the stored file are there when it is whole',
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
