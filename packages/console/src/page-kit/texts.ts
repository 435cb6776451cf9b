import { loadedPageKitTexts } from '../texts/loaded-texts.ts';

/** The texts of the parts that both applications have, in the language of the page. */
export const texts = loadedPageKitTexts();
