import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { continueResumableUploadEndpoint } from './continue-resumable-upload.ts';
import { resumableUploadHeaders } from './resumable-upload-headers.ts';
import { resumableUploadIdSchema } from './resumable-upload-id.ts';

const { 'upload-offset': offset, 'upload-length': length, 'upload-checksum': checksum } = resumableUploadHeaders;

/** Extension of the interface: for clients that cannot send PATCH or DELETE (tus 1.0, X-HTTP-Method-Override). */
export const overrideUploadMethodEndpoint = defineEndpoint({
  id: 'overrideUploadMethod',
  tag: 'Files: resumable uploads',
  method: 'POST',
  path: '/2.0/uploads/:upload',
  summary: 'Continue or discard a resumable upload where only POST can be sent',
  authentication: { kind: 'login-session' },
  params: resumableUploadIdSchema,
  headers: z.object({
    'tus-resumable': resumableUploadHeaders['tus-resumable'].optional(),
    'x-http-method-override': z.enum(['PATCH', 'DELETE']).describe('The intended method').meta({ example: 'PATCH' }),
    'upload-offset': offset.optional(),
    'upload-length': length.optional(),
    'upload-checksum': checksum.optional(),
  }),
  responses: { 204: { ...continueResumableUploadEndpoint.responses[204], description: 'The response of that method' } },
  errors: [...continueResumableUploadEndpoint.errors, 'unsupported_media_type'],
});
