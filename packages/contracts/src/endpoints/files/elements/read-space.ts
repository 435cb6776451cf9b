import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { elementPathSchema } from '../shapes/element-path.ts';

const roomSchema = (what: string) =>
  z.object({
    total: z.number().describe(`${what}, used or free`).meta({ example: 1_073_741_824 }),
    free: z
      .number()
      .optional()
      .describe(`${what} that can still be stored; only for users who may list the folder`)
      .meta({ example: 986_316_800 }),
  });

const folderSpaceSchema = z
  .object({
    path: z.string().describe('Virtual path').meta({ example: '/inbox' }),
    bytes: roomSchema('Bytes').optional().describe('By the limits and the storage; absent if there is no end'),
    entries: roomSchema('Files and folders').optional().describe('By the limits; absent if there is none'),
    retention: z
      .object({
        hoursAfterPut: z.int().optional().describe('Hours from storing a file to its deletion').meta({ example: 720 }),
        hoursAfterGet: z
          .int()
          .optional()
          .describe('Hours from the last complete download to the deletion')
          .meta({ example: 24 }),
      })
      .describe('When files are deleted by themselves; the earliest time applies'),
  })
  .meta({ id: 'FolderSpace' });

/** The room at a path, and how long files are kept there. */
export type FolderSpace = z.infer<typeof folderSpaceSchema>;

/** Extension of the interface: the limits and the retention of the file system that a path leads to. */
export const readSpaceEndpoint = defineEndpoint({
  id: 'readSpace',
  tag: 'Files: folders',
  method: 'GET',
  path: '/2.0/space{/*path}',
  summary: 'Read the room and the retention at a path',
  description:
    'For users with any permission at the path. The answer does not depend on whether something is there. Users who may not list ' +
    'do not learn what is free, because it would tell them whether a file of theirs has replaced another.',
  authentication: { kind: 'login-session' },
  params: elementPathSchema,
  responses: {
    200: { description: 'The room and the retention', body: { kind: 'json', schema: folderSpaceSchema } },
  },
  errors: ['connection_contract_missing', 'no_list_permission', 'path_not_found'],
  invalidRequestCode: 'file_request_invalid',
});
