/**
 * Writes control characters, except tabs and line breaks, and those that reorder text as `\u001b`: a terminal that shows a line obeys none of
 * them, and no text looks like another one. Texts of users and remote servers can contain any.
 */
export function escapeControls(text: string): string {
  return text.replaceAll(
    /[^\P{Cc}\t\r\n]|\p{Bidi_Control}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
