import { z } from 'zod';
import { soundTextSchema } from '../../../values/sound-text.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { elementPathSchema } from '../shapes/element-path.ts';

/** Names in one selection: an archive holds no more elements. */
const selectedNames = 10_000;

/** Room for as many names of 255 bytes, each byte percent-encoded. */
const selectionBytes = 8 * 1024 * 1024;

const archiveErrors = [
  'foreign_page_refused',
  'connection_contract_missing',
  'no_list_permission',
  'no_read_permission',
  'path_not_found',
  'not_a_folder',
  'file_not_found',
  'payload_too_large',
] as const;

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
  errors: archiveErrors,
  invalidRequestCode: 'file_request_invalid',
});

/** Extension of the interface: download a selection of any size, which the address of a GET has no room for. */
export const downloadSelectionEndpoint = defineEndpoint({
  id: 'downloadSelection',
  tag: 'Files: folders',
  method: 'POST',
  path: '/2.0/archive{/*path}',
  summary: 'Download a selection of a folder as a zip archive',
  description:
    'Like the download with GET, for up to 10 000 names, as a form that a browser posts and saves the response of. ' +
    'It changes nothing, but counts as a download as that with GET does. With `check`, nothing is sent: the response is 204, or the refusal.',
  authentication: { kind: 'login-session' },
  params: elementPathSchema,
  body: {
    kind: 'form',
    limitBytes: selectionBytes,
    schema: z.object({
      name: z
        .union([soundTextSchema.transform((name) => [name]), z.array(soundTextSchema).max(selectedNames)])
        .describe('A file or folder to include in the archive; may be repeated')
        .meta({ example: 'invoice.csv' }),
      check: z
        .literal('true')
        .optional()
        .describe('Only find out whether the archive would be sent')
        .meta({ example: 'true' }),
    }),
  },
  repeatable: true,
  responses: {
    200: { description: 'The archive', body: { kind: 'stream', mediaType: 'application/zip' } },
    204: { description: 'With `check`: the archive would be sent', body: { kind: 'none' } },
  },
  errors: archiveErrors,
  invalidRequestCode: 'file_request_invalid',
});
