import type { ConsolePage } from '../frame/page.ts';
import { texts } from '../texts/texts.ts';

/** The uploads that are not files yet. */
export const uploadPages: readonly ConsolePage[] = [
  {
    path: '/uploads',
    label: texts.uploads.page,
    permissions: ['sessions:read'],
    load: async () => (await import('./uploads-page.tsx')).UploadsPage,
  },
];
