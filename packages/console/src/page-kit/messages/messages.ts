import { english } from './english.ts';
import { type Language, language, type Translation } from './language.ts';

/** All texts of the applications, by name. Another language is another file with the same names. */
export type Messages = Translation<typeof english>;

const catalogues: Readonly<Record<Language, Messages>> = { en: english };

/** The texts in the language of the page. */
export const messages: Messages = catalogues[language];
