import { z } from 'zod';
import { isCodedError } from '../errors/coded-error.ts';
import { type FilePlace, parseFilePlace } from './file-place.ts';
import { type GrantedRight, grantedRightSchema } from './granted-right.ts';

/** What a task takes and gives, so that a workflow can be checked before it runs. */
export interface TaskSpecification<P extends z.ZodObject = z.ZodObject> {
  readonly summary: string;
  /** What `with` must hold once its expressions are evaluated. A secret is marked by `.meta({ secret: true })`, or by its name. */
  readonly parameters: P;
  /** What later steps find as `${{ steps.name.outputs.… }}`. */
  readonly outputs: z.ZodObject;
}

/** A parameter that is a path in the VFS of the job, or in another one that its action grants: `name-of-vfs:/path`. */
export const pathParameter = z.string().transform((text, context): FilePlace => {
  try {
    return parseFilePlace(text);
  } catch (error) {
    if (!isCodedError(error)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
    return z.NEVER;
  }
});

/**
 * A path whose use needs rights in another VFS, which are checked when the workflow is saved, as far as the path is known then.
 */
export function pathFor(...rights: readonly GrantedRight[]): typeof pathParameter {
  return pathParameter.meta({ rights });
}

const rightsMetaSchema = z.object({ rights: z.array(grantedRightSchema) });

/** The rights that a parameter needs in another VFS; none if it is no path. */
export function rightsFor(parameter: unknown): readonly GrantedRight[] {
  if (parameter instanceof z.ZodOptional || parameter instanceof z.ZodDefault) return rightsFor(parameter.unwrap());
  if (!(parameter instanceof z.ZodType)) return [];
  const { data } = rightsMetaSchema.safeParse(parameter.meta());
  return data?.rights ?? [];
}

/** An integer that a task gives as decimal text, because it may be larger than a number of JSON. Expressions see an integer. */
export const decimalOutput = z.string().regex(/^\d+$/u).meta({ integer: true });

/** What a task that writes one file gives. */
export const writtenFileOutputs = z.object({
  path: z.string().describe('Path of the written file'),
  fileset: z.string().describe('Its number'),
  size: decimalOutput.describe('Its bytes'),
  sha256: z.string().describe('Its SHA-256, hexadecimal'),
});
