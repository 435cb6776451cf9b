import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { resumableUploadHeaders } from './resumable-upload-headers.ts';
import { resumableUploadIdSchema } from './resumable-upload-id.ts';

/** Beyond the interface: give an upload up (tus 1.0, termination). */
export const terminateResumableUploadEndpoint = defineEndpoint({
  id: 'terminateResumableUpload',
  tag: 'Files: resumable uploads',
  method: 'DELETE',
  path: '/2.0/uploads/:upload',
  summary: 'Give a resumable upload up',
  description: 'Its bytes are removed at once, also while they arrive. A file that was stored stays.',
  authentication: { kind: 'login-session' },
  params: resumableUploadIdSchema,
  headers: z.object({ 'tus-resumable': resumableUploadHeaders['tus-resumable'].optional() }),
  responses: { 204: { description: 'Given up', body: { kind: 'none' } } },
  errors: ['connection_contract_missing', 'upload_unknown', 'protocol_version_unsupported'],
});
