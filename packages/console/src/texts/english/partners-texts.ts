import { pageKitTexts } from './page-kit-texts.ts';
import { files } from './partners/files.ts';
import { transfers } from './partners/transfers.ts';

/** Every text that the partners' application shows, in English. */
export const texts = { ...pageKitTexts, ...files, ...transfers } as const;
