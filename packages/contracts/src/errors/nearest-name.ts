/**
 * The known name nearest to a wrong one: one that differs in case only, else the one with the fewest changed,
 * added, missing or swapped letters; undefined if none is near.
 */
export function nearestName(wrong: string, known: Iterable<string>): string | undefined {
  let nearest: { name: string; distance: number } | undefined;
  for (const name of known) {
    const allowed = Math.max(1, Math.floor(Math.max(wrong.length, name.length) / 3));
    if (Math.abs(name.length - wrong.length) > allowed || wrong.length > longestCompared) continue;
    const distance = distanceBetween(wrong.toLowerCase(), name.toLowerCase());
    if (distance <= allowed && distance < (nearest?.distance ?? Infinity)) nearest = { name, distance };
  }
  return nearest?.name;
}

/** `; did you mean maxItems?` for the end of a sentence about a wrong name; empty if no known name is near. */
export function suggestion(wrong: string, known: Iterable<string>): string {
  const name = nearestName(wrong, known);
  return name === undefined ? '' : `; did you mean ${name}?`;
}

/** Names are short: the comparison takes time in the square of the length. */
const longestCompared = 255;

/** Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours. */
function distanceBetween(one: string, other: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const ways = [at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + (isSame ? 0 : 1)];
      if (isSwap) ways.push(at(beforeLast, column - 2) + 1);
      current.push(Math.min(...ways));
    }
    [beforeLast, last] = [last, current];
  }
  return at(last, other.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
