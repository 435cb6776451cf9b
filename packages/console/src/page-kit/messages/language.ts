/** The languages that every catalogue of texts has, as BCP 47 tags. */
const languages = ['en'] as const;

/** A language of the texts. */
export type Language = (typeof languages)[number];

/**
 * The same texts in any language: a text for each text, a function of the same values for each that contains values, by the same
 * names.
 */
export type Translation<Catalogue> = Catalogue extends string
  ? string
  : Catalogue extends (...values: infer Values) => infer Result
    ? (...values: Values) => Translation<Result>
    : { readonly [Name in keyof Catalogue]: Translation<Catalogue[Name]> };

/** The first of the wanted languages that is available, in any of its regional forms; the first available one, if none is. */
export function chooseLanguage<Name extends string>(
  available: readonly [Name, ...Name[]],
  wanted: readonly string[],
): Name {
  for (const tag of wanted) {
    const parts = tag.toLowerCase().split('-');
    for (let length = parts.length; length > 0; length -= 1) {
      const found = available.find((name) => name.toLowerCase() === parts.slice(0, length).join('-'));
      if (found !== undefined) return found;
    }
  }
  return available[0];
}

/** The language of the page: the first that the user prefers, as the browser says, of those that there are. */
export const language: Language = chooseLanguage(languages, navigator.languages);
