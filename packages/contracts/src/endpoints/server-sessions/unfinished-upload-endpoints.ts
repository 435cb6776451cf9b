import { z } from 'zod';
import { configuredPathSchema } from '../../values/configured-names.ts';
import { protocolSchema } from '../../values/protocol.ts';
import { soundTextSchema } from '../../values/sound-text.ts';
import { defineEndpoint } from '../endpoint.ts';
import { pageSchema, pageShape } from '../list-page.ts';
import { actorFilter, sessionFilters } from './session-filters.ts';

const path = '/platform-application/api/v1/infrastructure/clusters/unfinished-uploads';

const unfinishedUploadSchema = z
  .object({
    uploadId: z
      .string()
      .describe('Names the upload to delete it')
      .meta({ example: '0195a1c2-7b1e-7f00-8d3c-2a9d1f6b4c10' }),
    userName: z.string().describe('Who uploads; for a job, who submitted it').meta({ example: 'acme' }),
    actor: z
      .string()
      .nullable()
      .describe('The actor of the user; null for a job, and if the user was removed from the configuration')
      .meta({ example: 'acme' }),
    protocol: protocolSchema
      .nullable()
      .describe('Protocol of the upload; null: a job writes it')
      .meta({ example: 'HTTP' }),
    virtualFileSystem: z
      .string()
      .nullable()
      .describe('Name of the virtual file system; null if it was removed from the configuration')
      .meta({ example: 'acme-files' }),
    path: z
      .string()
      .nullable()
      .describe('Where the file will be in the virtual file system; null if the folder was deleted')
      .meta({ example: '/inbox/invoice.csv' }),
    bytes: z
      .int()
      .min(0)
      .nullable()
      .describe('Bytes that have arrived and take room; null if the storage does not answer')
      .meta({ example: 1_048_576 }),
    length: z
      .int()
      .min(0)
      .nullable()
      .describe('Bytes of the whole file, as the client of a resumable upload over HTTP has announced; null: not known')
      .meta({ example: 4_194_304 }),
    state: z
      .enum(['running', 'interrupted'])
      .describe('Whether a session or a request has it open now; otherwise it waits for its client')
      .meta({ example: 'interrupted' }),
    startedAt: z.iso.datetime().describe('When it began').meta({ example: '2026-03-01T10:15:00.000Z' }),
    keptUntil: z.iso
      .datetime()
      .nullable()
      .describe('When the platform deletes it if its client does not go on; null while it is running')
      .meta({ example: '2026-03-02T10:20:00.000Z' }),
  })
  .meta({ id: 'UnfinishedUpload' });

/** An upload that is not a file yet, as operators see it. */
export type UnfinishedUploadView = z.infer<typeof unfinishedUploadSchema>;

/** Extension of the interface: the uploads that are not complete. */
export const listUnfinishedUploadsEndpoint = defineEndpoint({
  id: 'listUnfinishedUploads',
  tag: 'Server sessions',
  method: 'GET',
  path,
  summary: 'List unfinished uploads',
  description: [
    'Lists the uploads of all users that are not files yet, the newest first: those that run over SFTP, over HTTP and by jobs, and',
    'those that were interrupted and can be resumed. Roles that are limited to actors see those of their users, and none of jobs.',
  ].join(' '),
  authentication: { kind: 'bearer', permission: 'sessions:read', ofActor: true },
  query: z.strictObject({
    userName: sessionFilters.userName,
    ...actorFilter,
    virtualFileSystem: soundTextSchema
      .optional()
      .describe('Only uploads to this virtual file system')
      .meta({ example: 'acme-files' }),
    path: configuredPathSchema
      .optional()
      .describe('Only uploads to this file, or into this folder and those below it, in any virtual file system')
      .meta({ example: '/inbox' }),
    ...pageShape('Uploads'),
  }),
  responses: {
    200: {
      description: 'A page of uploads',
      body: {
        kind: 'json',
        schema: pageSchema(unfinishedUploadSchema, 'The uploads of this page').meta({ id: 'UnfinishedUploadPage' }),
      },
    },
  },
  errors: [],
});

/** Extension of the interface: deletes an upload that is not complete. */
export const deleteUnfinishedUploadEndpoint = defineEndpoint({
  id: 'deleteUnfinishedUpload',
  tag: 'Server sessions',
  method: 'DELETE',
  path: `${path}/:uploadId`,
  summary: 'Delete an unfinished upload',
  description: [
    'Deletes what has arrived. Nobody can resume the upload; a client that sends at that moment is refused within 10 seconds, and can',
    'begin again: freeze the user to prevent that. A file that the upload has become is not deleted: then there is no such upload any',
    'more. The audit log has a record of it (`AUD0058A`).',
  ].join(' '),
  authentication: { kind: 'bearer', permission: 'sessions:delete', ofActor: true },
  params: z.strictObject({
    uploadId: z
      .uuid({ error: 'must be the id of an upload' })
      .describe('Id of the upload, as the list shows it')
      .meta({ example: '0195a1c2-7b1e-7f00-8d3c-2a9d1f6b4c10' }),
  }),
  responses: { 204: { description: 'The upload is deleted', body: { kind: 'none' } } },
  alreadyDeleted: { code: 'upload_unknown', status: 204 },
  errors: ['upload_unknown'],
});
