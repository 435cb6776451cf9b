import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { uploadHeadersSchema } from '../uploads/upload-headers.ts';
import { resumableUploadHeaders, resumableUploadProgress } from './resumable-upload-headers.ts';

const {
  'if-match': ifMatch,
  'if-none-match': ifNoneMatch,
  'idempotency-key': idempotencyKey,
} = uploadHeadersSchema.shape;

/** Extension of the interface: begin a resumable upload (tus 1.0: creation and related extensions, concatenation). */
export const beginResumableUploadEndpoint = defineEndpoint({
  id: 'beginResumableUpload',
  tag: 'Files: resumable uploads',
  method: 'POST',
  path: '/2.0/uploads',
  summary: 'Begin a resumable upload',
  description:
    '`Upload-Metadata` defines what is stored and where: `path`, or `folder` (by default the root) and `filename`; `filetype`, the ' +
    'media type; `overwrite`, which may be `false`. Every other key becomes metadata of the file. A body of the type ' +
    '`application/offset+octet-stream` is the beginning of the content, or all of it. An empty file is stored at once. ' +
    '`Upload-Length` or `Upload-Defer-Length` is required, except with `Upload-Concat: final`, which stores the content of ' +
    'complete partial uploads as one file. `Upload-Metadata` is required, except with `Upload-Concat: partial`.',
  authentication: { kind: 'login-session' },
  headers: z.object({
    'tus-resumable': resumableUploadHeaders['tus-resumable'].optional(),
    'upload-length': resumableUploadHeaders['upload-length'].optional(),
    'upload-defer-length': resumableUploadHeaders['upload-defer-length'].optional(),
    'upload-concat': resumableUploadHeaders['upload-concat'].optional(),
    'upload-metadata': resumableUploadHeaders['upload-metadata'].optional(),
    'upload-checksum': resumableUploadHeaders['upload-checksum'].optional(),
    'if-match': ifMatch,
    'if-none-match': ifNoneMatch,
    'idempotency-key': idempotencyKey.describe(
      'Any text that is unique to an upload. A repetition while the upload exists returns the same upload',
    ),
  }),
  repeatable: { in: 'headers', name: 'idempotency-key' },
  responses: {
    201: {
      description: 'Begun; if the upload is complete, with the headers of the stored file',
      headers: z.object({
        location: z
          .string()
          .describe('Address of the upload')
          .meta({ example: 'https://files.example.org/2.0/uploads/4be0643f-1d98-573b-97cd-ca98a65347dd' }),
        ...resumableUploadProgress,
      }),
      body: { kind: 'none' },
    },
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
    'upload_unknown',
    'upload_in_progress',
    'upload_is_final',
    'protocol_version_unsupported',
    'payload_too_large',
    'unfinished_upload_limit_reached',
    'unsupported_media_type',
    'checksum_mismatch',
    'byte_limit_reached',
    'file_limit_reached',
    'storage_full',
  ],
});
