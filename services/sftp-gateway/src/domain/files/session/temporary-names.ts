import { nameOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';

/** Tells by its name that a client will rename a file when all of it has arrived. */
export type TemporaryNames = (path: VirtualPath) => boolean;

/** @param patterns of whole names; `*` stands for any characters, case does not matter */
export function createTemporaryNames(patterns: readonly string[]): TemporaryNames {
  const matchers = patterns.map((pattern) => {
    const literal = pattern.normalize('NFC').replaceAll(/[\\^$.+?()[\]{}|/]/gu, String.raw`\$&`);
    return new RegExp(`^${literal.replaceAll(/\*+/gu, '.*')}$`, 'isu');
  });
  return (path) => matchers.some((matcher) => matcher.test(nameOf(path)));
}
