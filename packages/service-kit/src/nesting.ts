/** How deep lists and objects of a document may be nested: what is checked by recursion needs stack for each level. */
export const levelsAtMost = 100;

/** Whether a value is nested in more than `levelsAtMost` levels; found out without recursion. */
export function isNestedTooDeeply(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let levels = 0; levels <= levelsAtMost; levels += 1) {
    const inner = level.filter((item): item is object => typeof item === 'object' && item !== null);
    if (inner.length === 0) return false;
    level = inner.flatMap((item): unknown[] => Object.values(item));
  }
  return true;
}
