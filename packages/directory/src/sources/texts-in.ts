/** Every text in a value. */
export function textsIn(value: unknown): string[] {
  const texts: string[] = [];
  const collect = (part: unknown): void => {
    if (typeof part === 'string') texts.push(part);
    else if (typeof part === 'object' && part !== null) for (const inner of Object.values(part)) collect(inner);
  };
  collect(value);
  return texts;
}
