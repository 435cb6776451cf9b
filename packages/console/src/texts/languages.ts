import type { LanguageSource } from './translation.ts';

/** The languages of the applications, by their BCP 47 tags. The first is shown to those who prefer none of them. */
export const languages = {
  en: {
    name: 'English',
    partners: () => import('./english/partners-texts.ts'),
    operators: () => import('./english/operators-texts.ts'),
  },
} as const satisfies Readonly<Record<string, LanguageSource>>;
