import { loadedTexts } from '../../texts/loaded-texts.ts';

/** All texts of the operators' console, by name, in the language of the page. */
export const texts = loadedTexts('operators');
