import { z } from 'zod';
import { fileAttributesSchema } from '../shapes/file-attributes.ts';

/** A file or folder as a listing shows it. */
export const fileElementSchema = z
  .object({
    id: z.string().describe('Path of the element').meta({ example: '/inbox/invoice.csv' }),
    uri: z
      .string()
      .describe('Absolute address of the element')
      .meta({ example: 'https://files.example.org/2.0/files/inbox/invoice.csv' }),
    metaUri: z
      .string()
      .optional()
      .describe("Absolute address of the file's metadata; files only")
      .meta({ example: 'https://files.example.org/2.0/metadata/inbox/invoice.csv' }),
    filename: z.string().describe('Name').meta({ example: 'invoice.csv' }),
    fileset: z.int().optional().describe('Number of the file; files only').meta({ example: 1024 }),
    owner: z.string().describe('User who created it; empty for folders of the configuration').meta({ example: 'acme' }),
    directory: z.boolean().describe('True for folders').meta({ example: false }),
    attributes: fileAttributesSchema
      .partial()
      .describe('The requested attributes')
      .meta({ example: { size: '2048', putDate: '2026-03-02T08:15:30.410Z' } }),
  })
  .meta({ id: 'FileElement' });

/** A file or folder as a listing shows it. */
export type FileElement = z.infer<typeof fileElementSchema>;
