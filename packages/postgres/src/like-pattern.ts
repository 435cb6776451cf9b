/** A pattern for SQL's LIKE in which `*` matches any sequence, and everything else itself. */
export function likePattern(text: string): string {
  return text.replaceAll(/[\\%_]/gu, '\\$&').replaceAll('*', '%');
}
