import { literalsOf, parseNamePattern } from '@waybill/contracts/values/name-pattern';
import { nameOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';

/** Tells by its name that a client will rename a file when all of it has arrived. */
export type TemporaryNames = (path: VirtualPath) => boolean;

/** @param patterns of whole names; `*` stands for any characters, case does not matter */
export function createTemporaryNames(patterns: readonly string[]): TemporaryNames {
  const matchers = patterns.map((pattern) => {
    const literals = literalsOf(parseNamePattern(pattern));
    const sources = literals.map((literal) => literal.replaceAll(/[\\^$.+?()[\]{}|/]/gu, String.raw`\$&`));
    return new RegExp(`^${sources.join('.*')}$`, 'isu');
  });
  return (path) => matchers.some((matcher) => matcher.test(nameOf(path)));
}
