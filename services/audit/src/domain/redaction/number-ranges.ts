/** Numbers from `first` to `last`, inclusively. */
export interface NumberRange {
  readonly first: number;
  readonly last: number;
}

/** Ascending numbers as ranges: `1-3,7`. */
export function writeRanges(numbers: readonly number[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const number of numbers) {
    const end = ranges.at(-1);
    if (end?.last === number - 1) end.last = number;
    else ranges.push({ first: number, last: number });
  }
  return ranges.map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`)).join(',');
}

/** Reads what `writeRanges` writes; any other part is ignored. */
export function readRanges(text: string): NumberRange[] {
  return text.split(',').flatMap((part) => {
    const [, first, last = first] = /^(\d{1,15})(?:-(\d{1,15}))?$/u.exec(part) ?? [];
    return first === undefined ? [] : [{ first: Number(first), last: Number(last) }];
  });
}

/** A function that tells whether a number is in one of these ranges. */
export function createRangeSet(ranges: readonly NumberRange[]): (number: number) => boolean {
  const merged: { first: number; last: number }[] = [];
  for (const { first, last } of ranges.toSorted((one, other) => one.first - other.first)) {
    const end = merged.at(-1);
    if (end && first <= end.last + 1) end.last = Math.max(end.last, last);
    else merged.push({ first, last });
  }
  return (number) => {
    let [low, high] = [0, merged.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((merged[middle]?.last ?? 0) < number) low = middle + 1;
      else high = middle;
    }
    return (merged[low]?.first ?? Number.POSITIVE_INFINITY) <= number;
  };
}
