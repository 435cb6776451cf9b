import { plainNameSchema } from '../values/configured-names.ts';

/** The source of a configuration file that does not name one. */
export const defaultSource = 'default';

/** The owner of what exists without a configuration: any source or the API may take it over. */
export const builtInSource = '';

/** The name of a configuration source: what a file creates belongs to it. */
export const configurationSourceSchema = plainNameSchema.describe(
  'Owner of everything in this file; `apply` changes and removes only what its source owns',
);

/** Who owns an entity: a configuration source, or `null` for the API. */
export type EntityOwner = string | null;

/** The words for an owner in a sentence, with the file that a source has applied last, where that is known. */
export function ownerTitle(owner: EntityOwner, file = ''): string {
  const title = owner === null ? 'the API' : `the source ${owner}`;
  return file === '' ? title : `${title}, file ${file}`;
}
