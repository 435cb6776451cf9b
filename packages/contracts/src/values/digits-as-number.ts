/**
 * The number that a text of digits represents. Any other text is returned unchanged, for a schema to refuse: also
 * `1e2`, `0x10` and ` 7`, which JavaScript accepts as numbers.
 */
export function digitsAsNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\d+$/u.test(value) ? Number(value) : value;
}
