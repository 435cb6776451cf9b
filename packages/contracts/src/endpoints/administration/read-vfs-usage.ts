import { z } from 'zod';
import { plainNameSchema } from '../../values/configured-names.ts';
import { defineEndpoint } from '../endpoint.ts';

const usedSchema = z.object({
  used: z.int().min(0).nullable().describe('null: there are too many entries to count them for a request'),
  limit: z.int().min(0).nullable().describe('null: there is no limit'),
});

const usageSchema = z
  .object({
    name: z.string().describe('Name of the virtual file system').meta({ example: 'acme-files' }),
    actor: z.string().nullable().describe('The actor that it belongs to; null: none').meta({ example: 'acme' }),
    bytes: usedSchema.meta({ example: { used: 104_857_600, limit: 1_073_741_824 } }),
    files: usedSchema.meta({ example: { used: 120, limit: 10_000 } }),
    folders: usedSchema.meta({ example: { used: 3, limit: null } }),
  })
  .meta({ id: 'VfsUsage' });

/** What a virtual file system holds, and what it may hold. */
export type VfsUsageView = z.infer<typeof usageSchema>;

/** Reads what a virtual file system holds. */
export const readVfsUsageEndpoint = defineEndpoint({
  id: 'readVfsUsage',
  tag: 'Configuration',
  method: 'GET',
  path: '/platform-application/api/v1/virtual-file-systems/:name/usage',
  summary: 'Read what a virtual file system holds',
  description:
    'Bytes, files and folders against the limits. Where there are limits, this is what they are compared with: it includes what ' +
    'running uploads have reserved. Without limits, the files are counted, at most every 10 seconds.',
  authentication: { kind: 'bearer', permission: 'configuration:read', ofActor: true },
  params: z.object({
    name: plainNameSchema.describe('Name of the virtual file system').meta({ example: 'acme-files' }),
  }),
  query: z.strictObject({}),
  responses: { 200: { description: 'What it holds', body: { kind: 'json', schema: usageSchema } } },
  errors: ['entity_unknown'],
});
