import type { ConsolePage } from '../frame/page.ts';
import { texts } from '../texts/texts.ts';

/** Which files were expected, and what came of it. */
export const expectationPages: readonly ConsolePage[] = [
  {
    path: '/expectations',
    label: texts.expectations.title,
    permissions: ['expectations:read'],
    load: async () => (await import('./expectations-page.tsx')).ExpectationsPage,
  },
];
