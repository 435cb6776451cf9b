import { matchesPattern, parseNamePattern, type NamePattern } from './name-pattern.ts';
import { segmentsOf, type VirtualPath } from './virtual-path.ts';

/** A parsed pattern of paths: one pattern for each name of a path; `anything` stands for any number of names. */
export type PathPattern = readonly (NamePattern | 'anything')[];

/** True if a pattern may match more than the one path that it spells. */
export function hasWildcard(pattern: string): boolean {
  return pattern.includes('*');
}

/**
 * Parses a pattern of paths: `*` in a name matches any characters of that name, as in a pattern of names; a name `**`
 * matches any number of names, including none.
 */
export function parsePathPattern(pattern: VirtualPath): PathPattern {
  return segmentsOf(pattern).map((name) => (name === '**' ? 'anything' : parseNamePattern(name)));
}

/** True if a path matches the pattern. The time is at most linear in the product of both lengths. */
export function matchesPathPattern(path: VirtualPath, pattern: PathPattern): boolean {
  const names = segmentsOf(path);
  // `reached[n]`: the patterns so far match the first `n` names.
  let reached = [true, ...names.map(() => false)];
  for (const part of pattern) {
    if (part === 'anything') {
      const first = reached.indexOf(true);
      reached = reached.map((_, count) => first !== -1 && count >= first);
    } else {
      const before = reached;
      reached = reached.map((_, count) => {
        const name = names[count - 1];
        return before[count - 1] === true && name !== undefined && matchesPattern(name, part);
      });
    }
  }
  return reached.at(-1) === true;
}
