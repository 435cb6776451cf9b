import { z } from 'zod';
import { digitsAsNumber, wholeNumber } from '../values/digits-as-number.ts';

/** The parameters of a list that select a page. `what`: what is on it, at the beginning of a sentence. */
export function pageShape(what: string) {
  return {
    maxItems: z
      .preprocess(digitsAsNumber, wholeNumber.min(1).max(1_000))
      .default(100)
      .describe(`${what} on one page; 100 by default`)
      .meta({ example: 100 }),
    cursor: z.string().max(2_048).optional().describe('Start of the page; part of a `next` link, opaque to callers'),
  };
}

/** A page of a list. */
export function pageSchema<S extends z.ZodType>(item: S, description: string) {
  return z.object({
    items: z.array(item).describe(description),
    next: z.string().optional().describe('Link to the next page; absent on the last page'),
  });
}
