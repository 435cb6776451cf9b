/**
 * The number that a text of digits is. Anything else stays as it is, for a schema to refuse: `1e2`, `0x10` and ` 7` too,
 * which JavaScript takes for numbers.
 */
export function digitsAsNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\d+$/u.test(value) ? Number(value) : value;
}
