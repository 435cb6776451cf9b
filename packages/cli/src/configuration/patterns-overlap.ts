/**
 * True if a path matches both patterns, in which `*` matches any sequence without a slash. The time is proportional to
 * the product of the lengths, even for patterns with many `*`.
 */
export function patternsOverlap(one: string, other: string): boolean {
  // reachable[at]: the part of `one` so far and the first `at` characters of `other` have a common match.
  let reachable = [true];
  for (const [at, letter] of other.split('').entries()) reachable.push(reachable[at] === true && letter === '*');
  for (const letter of one) {
    const next: boolean[] = [reachable[0] === true && letter === '*'];
    for (let at = 1; at <= other.length; at += 1) {
      const opposite = other[at - 1] ?? '';
      const skipsEither = (letter === '*' && reachable[at] === true) || (opposite === '*' && next[at - 1] === true);
      const takesByFirst = letter === '*' && opposite !== '/' && next[at - 1] === true;
      const takesBySecond = opposite === '*' && letter !== '/' && reachable[at] === true;
      const isSame = letter === opposite && reachable[at - 1] === true;
      next.push(skipsEither || takesByFirst || takesBySecond || isSame);
    }
    reachable = next;
  }
  return reachable[other.length] === true;
}
