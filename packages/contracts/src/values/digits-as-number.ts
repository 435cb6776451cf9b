import { z } from 'zod';

/**
 * The number that a text of digits represents. Any other text is returned unchanged, for a schema to refuse: also
 * `1e2`, `0x10` and ` 7`, which JavaScript accepts as numbers.
 */
export function digitsAsNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\d+$/u.test(value) ? Number(value) : value;
}

/** A whole number in a query. Its bounds have messages of their own. */
export const wholeNumber = z.int({
  abort: true,
  error: ({ code }) => (code === 'invalid_type' ? 'is not a whole number' : undefined),
});
