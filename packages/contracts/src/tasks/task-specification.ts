import { z } from 'zod';
import { isCodedError } from '../errors/coded-error.ts';
import { parseVirtualPath, type VirtualPath } from '../values/virtual-path.ts';

/** What a task takes and gives, so that a workflow can be checked before it runs. */
export interface TaskSpecification<P extends z.ZodObject = z.ZodObject> {
  readonly summary: string;
  /** What `with` must hold once its expressions are evaluated. A secret is marked by `.meta({ secret: true })`, or by its name. */
  readonly parameters: P;
  /** What later steps find as `${{ steps.name.outputs.… }}`. */
  readonly outputs: z.ZodObject;
}

/** A parameter that is a path in the VFS of the job. */
export const pathParameter = z.string().transform((text, context): VirtualPath => {
  try {
    return parseVirtualPath(text);
  } catch (error) {
    if (!isCodedError(error)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
    return z.NEVER;
  }
});

/** An integer that a task gives as decimal text, because it may be larger than a number of JSON. Expressions see an integer. */
export const decimalOutput = z.string().regex(/^\d+$/u).meta({ integer: true });

/** What a task that writes one file gives. */
export const writtenFileOutputs = z.object({
  path: z.string().describe('Path of the written file'),
  fileset: z.string().describe('Its number'),
  size: decimalOutput.describe('Its bytes'),
  sha256: z.string().describe('Its SHA-256, hexadecimal'),
});
