import { z } from 'zod';
import { soundTextSchema } from '../../../values/sound-text.ts';
import { fileAttributeNameSchema } from '../shapes/file-attributes.ts';
import { fileElementSchema } from './file-element.ts';

/** Selects elements of a folder. */
export const elementFilterShape = {
  filter: soundTextSchema
    .max(1_024)
    .transform((pattern) => (pattern === '' ? '*' : pattern))
    .prefault('*')
    .describe('Pattern of the names; `*` matches any characters; an empty pattern matches every name')
    .meta({ example: '*.csv' }),
  type: z.enum(['all', 'files', 'folders']).default('all').describe('Kind of elements').meta({ example: 'files' }),
};

/** The maximum of elements on a page, whatever its `limit`. */
const maxPageSize = 10_000;

/** The largest count in a query: more elements than any folder has. */
const maxCount = 999_999_999;

/** A count in a query: digits only, so that `1e3`, ` 7` and an empty value are refused. */
const countSchema = z
  .string()
  .regex(/^\d+$/u, 'must be a whole number from 0')
  .transform(Number)
  .refine((count) => count <= maxCount, `must be at most ${maxCount}`);

/** The requested page of a folder, and the requested attributes of each element. */
export const folderListingQuerySchema = z.strictObject({
  ...elementFilterShape,
  sort: z
    .enum(['name', 'size', 'put_date', 'read_date', 'expiry_date'])
    .default('name')
    .describe('Sort key of the elements')
    .meta({ example: 'put_date' }),
  direction: z
    .string()
    .toUpperCase()
    .pipe(z.enum(['ASC', 'DESC']))
    .default('ASC')
    .describe('`ASC` or `DESC`, in any case')
    .meta({ example: 'DESC' }),
  foldersFirst: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true')
    .describe('Whether all folders come before the files, whatever the sort key and the direction')
    .meta({ example: 'true' }),
  start: countSchema.prefault('0').describe('Elements to skip').meta({ example: '0' }),
  limit: countSchema
    .transform((limit) => Math.min(limit, maxPageSize))
    .prefault('500')
    .describe(`Maximum number of elements; a page never has more than ${maxPageSize}`)
    .meta({ example: '500' }),
  attributes: z
    .string()
    .transform((names) => (names === '' || names === 'all' ? [] : names.split(',').map((name) => name.trim())))
    .pipe(z.array(fileAttributeNameSchema))
    .transform((names) => (names.length === 0 ? fileAttributeNameSchema.options : names))
    .prefault('')
    .describe('Attributes to return, separated by commas; if empty, all')
    .meta({ example: 'size,putDate' }),
});

/** The requested page of a folder. */
export type FolderListingQuery = z.output<typeof folderListingQuerySchema>;

const exampleElement = {
  id: '/inbox/invoice.csv',
  uri: 'https://files.example.org/2.0/files/inbox/invoice.csv',
  metaUri: 'https://files.example.org/2.0/metadata/inbox/invoice.csv',
  filename: 'invoice.csv',
  fileset: 1024,
  owner: 'acme',
  directory: false,
  attributes: { size: '2048', putDate: '2026-03-02T08:15:30.410Z' },
};

/** One page of a folder. */
export const folderListingSchema = z
  .object({
    uri: z
      .string()
      .describe('Absolute address of the listed path')
      .meta({ example: 'https://files.example.org/2.0/directories/inbox' }),
    totalCount: z.string().describe('Elements on all pages, decimal').meta({ example: '1' }),
    files: z
      .array(fileElementSchema)
      .describe('The elements of this page')
      .meta({ example: [exampleElement] }),
  })
  .meta({ id: 'FolderListing' });
