import { createHash } from 'node:crypto';

/** Choices that are the same for the same seed. */
export interface Choices {
  /** One of these; which is decided by the seed and by how many choices were made before. */
  one<T>(options: readonly [T, ...T[]]): T;
  /** True this often in a hundred times. */
  often(percent: number): boolean;
  /** Some of these, each this often in a hundred times. */
  some<T>(options: readonly T[], percent: number): T[];
}

/** Choices for a seed. */
export function createChoices(seed: string): Choices {
  let made = 0;
  const below = (limit: number): number => {
    made += 1;
    return createHash('sha256').update(`${seed}/${made}`).digest().readUInt32BE() % limit;
  };
  const often = (percent: number): boolean => below(100) < percent;
  return {
    one: (options) => options[below(options.length)] ?? options[0],
    often,
    some: (options, percent) => options.filter(() => often(percent)),
  };
}
