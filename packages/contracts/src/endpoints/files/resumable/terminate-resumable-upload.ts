import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { resumableUploadHeaders } from './resumable-upload-headers.ts';
import { resumableUploadIdSchema } from './resumable-upload-id.ts';

/** Extension of the interface: discard an upload (tus 1.0, termination). */
export const terminateResumableUploadEndpoint = defineEndpoint({
  id: 'terminateResumableUpload',
  tag: 'Files: resumable uploads',
  method: 'DELETE',
  path: '/2.0/uploads/:upload',
  summary: 'Discard a resumable upload',
  description: 'Its bytes are removed at once, even while more arrive. If the file was stored already, it is kept.',
  authentication: { kind: 'login-session' },
  params: resumableUploadIdSchema,
  headers: z.object({ 'tus-resumable': resumableUploadHeaders['tus-resumable'].optional() }),
  responses: { 204: { description: 'Given up', body: { kind: 'none' } } },
  alreadyDeleted: { code: 'upload_unknown', status: 204 },
  errors: ['connection_contract_missing', 'upload_unknown', 'protocol_version_unsupported'],
});
