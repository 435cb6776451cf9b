import { type Language, language, type Translation } from '../../page-kit/messages/language.ts';
import { english } from './english/english.ts';

/** All texts of the console, by name. Another language is another folder with the same names. */
export type Texts = Translation<typeof english>;

const catalogues: Readonly<Record<Language, Texts>> = { en: english };

/** The texts in the language of the page. */
export const texts: Texts = catalogues[language];
