import { z } from 'zod';
import { soundTextSchema } from '../../../values/sound-text.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { elementPathSchema } from '../shapes/element-path.ts';

/** Extension of the interface: download a folder, or parts of it, as a zip archive. */
export const downloadArchiveEndpoint = defineEndpoint({
  id: 'downloadArchive',
  tag: 'Files: folders',
  method: 'GET',
  path: '/2.0/archive{/*path}',
  summary: 'Download a folder as a zip archive',
  description:
    'Contains everything below the folder, or only the elements that `name` gives. Elements that the user may not list or download are ' +
    'left out; if `name` gives one, the request is refused. The files count as downloaded when the whole archive was sent.',
  authentication: { kind: 'login-session' },
  params: elementPathSchema,
  query: z.object({
    name: z
      .union([soundTextSchema.transform((name) => [name]), z.array(soundTextSchema).max(1_000)])
      .optional()
      .describe('A file or folder to include in the archive; may be repeated')
      .meta({ example: 'invoice.csv' }),
  }),
  responses: { 200: { description: 'The archive', body: { kind: 'stream', mediaType: 'application/zip' } } },
  errors: [
    'foreign_page_refused',
    'connection_contract_missing',
    'no_list_permission',
    'no_read_permission',
    'path_not_found',
    'not_a_folder',
    'file_not_found',
    'payload_too_large',
  ],
  invalidRequestCode: 'file_request_invalid',
});
