import type { ConsolePage } from '../frame/page.ts';
import { texts } from '../texts/texts.ts';

/** Jobs, and one job. */
export const jobPages: readonly ConsolePage[] = [
  {
    path: '/jobs',
    label: texts.jobs.title,
    permissions: ['jobs:read'],
    load: async () => (await import('./jobs-page.tsx')).JobsPage,
  },
  {
    path: '/jobs/$id',
    permissions: ['jobs:read'],
    load: async () => (await import('./job-page.tsx')).JobPage,
  },
];
