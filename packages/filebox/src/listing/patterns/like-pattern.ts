/** A pattern for SQL's LIKE from one where `*` stands for any characters and everything else for itself. */
export function likePattern(pattern: string): string {
  return pattern
    .normalize('NFC')
    .replaceAll(/[\\%_]/gu, String.raw`\$&`)
    .replaceAll(/\*+/gu, '%');
}
