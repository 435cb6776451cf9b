import { english } from './english.ts';

/** All texts of the applications, by name. Another language is another file with the same names. */
export type Messages = typeof english;

/** The texts in the language of the page. */
export const messages: Messages = english;
