import { english } from './english/english.ts';

/** All texts of the console, by name. Another language is another folder with the same names. */
export type Texts = typeof english;

/** The texts in the language of the page. */
export const texts: Texts = english;
