import { matchesPattern, parseNamePattern } from '@waybill/contracts/values/name-pattern';
import { nameOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';

/**
 * Whether the name of a path is temporary: a client will rename the file when all of it has arrived. A file starts no
 * contract by what happens to it under such a name; it counts as delivered when it first gets another name.
 */
export type TemporaryNames = (path: VirtualPath) => boolean;

/** @param patterns of whole names; `*` matches any characters, and case does not matter */
export function createTemporaryNames(patterns: readonly string[]): TemporaryNames {
  const parsed = patterns.map((pattern) => parseNamePattern(pattern.toLowerCase()));
  return (path) => {
    const name = nameOf(path).toLowerCase();
    return parsed.some((pattern) => matchesPattern(name, pattern));
  };
}
