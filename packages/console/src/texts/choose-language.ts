/** The first of the wanted languages that is available, in any of its regional forms; the first available one, if none is. */
export function chooseLanguage(available: readonly [string, ...string[]], wanted: readonly string[]): string {
  for (const tag of wanted) {
    const parts = tag.toLowerCase().split('-');
    for (let length = parts.length; length > 0; length -= 1) {
      const found = available.find((name) => name.toLowerCase() === parts.slice(0, length).join('-'));
      if (found !== undefined) return found;
    }
  }
  return available[0];
}
