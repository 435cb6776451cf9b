import { loadedTexts } from '../texts/loaded-texts.ts';

/** All texts of the partners' application, by name, in the language of the page. */
export const texts = loadedTexts('partners');
