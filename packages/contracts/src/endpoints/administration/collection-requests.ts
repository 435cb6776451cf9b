import { z } from 'zod';
import { configuredNameSchema, plainNameSchema } from '../../values/configured-names.ts';
import { soundTextSchema } from '../../values/sound-text.ts';
import { pageShape } from '../list-page.ts';
import { type AdministeredResource, permissionOn, isOfActors } from './resource.ts';

/** Where collections of objects are. */
export const prefix = '/platform-application/api/v1';

/** The name of an object in its address. */
export const nameSchema = z.object({
  name: configuredNameSchema.describe('Its name; a slash is written `%2F`').meta({ example: 'acme' }),
});

/** The conditions of a change. */
export const conditionsSchema = z.object({
  'if-match': z.string().max(2_000).optional().describe('Refuse unless its `ETag` is one of these, or it exists (`*`)'),
  'if-none-match': z.literal('*').optional().describe('Refuse if it exists'),
});

/** As an `If-Match` has them, in a body, but exact: a text that could match no version is a mistake. */
export const versionsSchema = z
  .string()
  .max(2_000)
  .regex(/^(?:\*|"[^"]*"(?: ?, ?"[^"]*")*)$/u, 'is neither `*` nor an `ETag` with its quotation marks, or several')
  .meta({ example: '"3q2-7wXJ"' });

const { maxItems, cursor } = pageShape('Objects');

/** The query of a list of objects. */
export const listSchema = z.strictObject({
  maxItems,
  sort: z.enum(['name', '+name', ' name', '-name']).default('name').describe('By name, ascending or descending'),
  name: soundTextSchema.max(128).optional().describe('Only this name; `*` matches any sequence'),
  actor: plainNameSchema.optional().describe('Only those of this actor'),
  source: z
    .string()
    .max(128)
    .optional()
    .describe('Only those of this configuration source; empty: of the API; `built-in`: of the platform itself'),
  cursor,
});

/** The filters and the order of a list of objects. */
export type ObjectListQuery = z.infer<typeof listSchema>;

/** The version of an object in a response. */
export const etag = z.object({
  etag: z.string().describe('Its version, for `If-Match`').meta({ example: '"3q2-7wXJ"' }),
});

/** Who may do what. */
export function permissionsOf(resource: AdministeredResource) {
  const ofActor = isOfActors(resource);
  const demand = (verb: 'read' | 'write' | 'delete') =>
    ({ kind: 'bearer', permission: permissionOn(resource, verb), ofActor }) as const;
  return { reading: demand('read'), writing: demand('write'), deleting: demand('delete') };
}

/** `StorageClass` becomes `StorageClasses`; a name that is a plural already stays. */
export function pluralOf(id: string): string {
  if (id.endsWith('ss')) return `${id}es`;
  return id.endsWith('s') ? id : `${id.replace(/(?<=[^aeiou])y$/u, 'ie')}s`;
}
