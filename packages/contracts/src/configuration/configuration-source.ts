import { plainNameSchema } from '../values/configured-names.ts';

/** The source of a configuration file that does not name one. */
export const defaultSource = 'default';

/** The owner of what exists without a configuration: any source or the API may take it over. */
export const builtInSource = '';

/** The owner of what is built in and cannot be changed, such as built-in roles. No configuration source has this name. */
export const platformOwner = 'built-in';

/** The name of a configuration source: what a file creates belongs to it. */
export const configurationSourceSchema = plainNameSchema
  .refine((name) => name !== platformOwner, 'is the owner of what is built in')
  .describe('Owner of everything in this file; `apply` changes and removes only what its source owns');

/** Who owns an entity: a configuration source, `null` for the API, or `platformOwner`. */
export type EntityOwner = string | null;

/** The words for an owner in a sentence, with the file that a source has applied last, where that is known. */
export function ownerTitle(owner: EntityOwner, file = ''): string {
  if (owner === platformOwner) return 'the platform';
  const title = owner === null ? 'the API' : `the source ${owner}`;
  return file === '' ? title : `${title}, file ${file}`;
}
