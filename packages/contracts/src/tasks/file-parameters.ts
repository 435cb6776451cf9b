import { z } from 'zod';
import { isCodedError } from '../errors/coded-error.ts';
import { virtualPathOf } from '../values/virtual-path.ts';
import { pathFor } from './task-specification.ts';

/** What to do if there is a file at the target. */
export const ifExistsParameter = z
  .enum(['replace', 'fail'])
  .default('replace')
  .describe('`replace` or `fail`: what to do if there is a file of this name');

/** One name, as a path has them. */
export const plainName = z.string().transform((text, context): string => {
  try {
    return virtualPathOf([text]).slice(1);
  } catch (error) {
    if (!isCodedError(error)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
    return z.NEVER;
  }
});

/** Files to read: a list, or the same as JSON, as outputs of some tasks have it. */
export const pathListParameter = z
  .preprocess(
    (value) => (typeof value === 'string' ? listIn(value) : value),
    z.array(pathFor('download')).min(1).max(5_000),
  )
  .meta({ rights: ['download'] });

function listIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
