/**
 * Characters that are not seen, or that change how others are seen: format characters such as U+200B and U+202E, those that
 * Unicode lets a renderer ignore, variation selectors, and separators of lines and paragraphs.
 */
const hidden = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Variation_Selector}\p{Zl}\p{Zp}]/u;

/**
 * Why a text cannot become a name, because it could not be told from another one; `undefined`: it can. Names that are stored are not
 * judged by this: they stay valid.
 */
export function objectionToNewName(name: string): string | undefined {
  const [found] = hidden.exec(name) ?? [];
  if (found === undefined) return undefined;
  return `has the character U+${codeOf(found)}, which is not seen`;
}

/** A name in which such characters are seen: as `\u{200B}`. */
export function showHiddenCharacters(name: string): string {
  return name.replaceAll(new RegExp(hidden, 'gu'), (found) => `\\u{${codeOf(found)}}`);
}

function codeOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
