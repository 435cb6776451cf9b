import { z } from 'zod';
import { plainNameSchema } from '../values/configured-names.ts';

/**
 * What a parameter of a task names: a client connection of one of some types, or a PGP key; `hasPrivateKey`: it has to be one with a
 * private key.
 */
const entityReferenceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('connection'), types: z.array(z.string()) }),
  z.object({ kind: z.literal('pgpKey'), hasPrivateKey: z.boolean() }),
]);

/** What a parameter of a task names. */
export type EntityReference = z.infer<typeof entityReferenceSchema>;

const metaSchema = z.object({ reference: entityReferenceSchema });

/** The metadata of a parameter that names an entity, or several as a list or as text with commas between them. */
export function naming(reference: EntityReference): { readonly reference: EntityReference } {
  return { reference };
}

/** A parameter that names a client connection of one of these types. */
export function connectionParameter(...types: readonly string[]): typeof plainNameSchema {
  return plainNameSchema
    .describe(`Client connection of the type ${types.map((type) => `\`${type}\``).join(' or ')}`)
    .meta(naming({ kind: 'connection', types: [...types] }));
}

/** What a parameter names; `undefined` if it names no entity. */
export function referenceOf(parameter: unknown): EntityReference | undefined {
  if (parameter instanceof z.ZodOptional || parameter instanceof z.ZodDefault) return referenceOf(parameter.unwrap());
  if (!(parameter instanceof z.ZodType)) return undefined;
  return metaSchema.safeParse(parameter.meta()).data?.reference;
}
