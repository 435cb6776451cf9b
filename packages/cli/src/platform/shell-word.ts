/** A word as a shell reads it. */
export function shellWord(word: string): string {
  return /^[\w.:/@-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
