/**
 * The value, for tests that know that there is one: of a list with a known length, for example.
 * @throws Error if there is none
 */
export function existing<T>(value: T | undefined | null): T {
  if (value === undefined || value === null) throw new Error('There is nothing');
  return value;
}

/**
 * The first of some, for tests that know that there is one.
 * @throws Error if there is none
 */
export function firstOf<T>(items: readonly T[]): T {
  return existing(items[0]);
}
