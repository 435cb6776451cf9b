/** Whether a path matches both patterns. A name `**` matches any number of names, any other `*` any characters of one name. */
export type PatternsOverlap = (one: string, other: string) => boolean;

/** Compares patterns of paths, and remembers what it has compared: configurations have few patterns in many places. */
export function createPatternsOverlap(): PatternsOverlap {
  const namesOf = remembered((path: string) => path.split('/'));
  const namesMeet = remembered((one: string) => remembered((other: string) => namesOverlap(one, other)));
  const pathsMeet = remembered((one: string) =>
    remembered((other: string) =>
      pathsOverlap(namesOf(one), namesOf(other), (name, opposite) => namesMeet(name)(opposite)),
    ),
  );
  return (one, other) => pathsMeet(one)(other);
}

function remembered<T>(compute: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const computed = compute(key);
    known.set(key, computed);
    return computed;
  };
}

const anyNames = '**';

/** The time is proportional to the product of the numbers of names. */
function pathsOverlap(one: readonly string[], other: readonly string[], namesMeet: PatternsOverlap): boolean {
  if (differAtOnce(one, other)) return false;
  return meet(one, other, {
    isAny: (name) => name === anyNames,
    isSame: (name, opposite) =>
      name === opposite || ((name.includes('*') || opposite.includes('*')) && namesMeet(name, opposite)),
  });
}

/** Most pairs of patterns have different folders before their first wildcard. */
function differAtOnce(one: readonly string[], other: readonly string[]): boolean {
  const first = one.findIndex((name, index) => name !== other[index] || name === anyNames);
  return ![one[first] ?? '*', other[first] ?? '*'].some((name) => name.includes('*'));
}

/** The time is proportional to the product of the lengths, even for patterns with many `*`. */
function namesOverlap(one: string, other: string): boolean {
  return meet(one.split(''), other.split(''), {
    isAny: (letter) => letter === '*',
    isSame: (letter, opposite) => letter === opposite,
  });
}

interface Comparison {
  /** Whether a part stands for any number of parts. */
  readonly isAny: (part: string) => boolean;
  readonly isSame: (part: string, opposite: string) => boolean;
}

/** Whether two sequences have a common match. Configurations have many pairs: nothing is allocated for a pair of parts. */
function meet(one: readonly string[], other: readonly string[], { isAny, isSame }: Comparison): boolean {
  const any = other.map(isAny);
  // reachable[at]: the parts of `one` so far and the first `at` parts of `other` have a common match.
  const reachable = new Uint8Array(other.length + 1);
  reachable[0] = 1;
  for (let at = 1; at <= other.length; at += 1) reachable[at] = any[at - 1] === true ? (reachable[at - 1] ?? 0) : 0;
  for (const part of one) {
    const isAnyPart = isAny(part);
    let before: number = reachable[0] ?? 0;
    reachable[0] = isAnyPart ? before : 0;
    for (let at = 1; at <= other.length; at += 1) {
      const above = reachable[at] ?? 0;
      if (isAnyPart || any[at - 1] === true) reachable[at] = above | (reachable[at - 1] ?? 0);
      else reachable[at] = before === 1 && isSame(part, other[at - 1] ?? '') ? 1 : 0;
      before = above;
    }
  }
  return reachable[other.length] === 1;
}
