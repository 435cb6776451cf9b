import { secondFactor } from './page-kit/second-factor.ts';
import { shell } from './page-kit/shell.ts';
import { units } from './page-kit/units.ts';

/** The texts that both applications have, in English. */
export const pageKitTexts = { ...shell, ...secondFactor, ...units } as const;
