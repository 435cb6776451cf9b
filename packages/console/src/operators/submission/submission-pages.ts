import type { ConsolePage } from '../frame/page.ts';

/** What submits a job. */
export const submissionPages: readonly ConsolePage[] = [
  {
    path: '/job-submission',
    section: '/jobs',
    permissions: ['jobs:run'],
    load: async () => (await import('./submission-page.tsx')).SubmissionPage,
  },
];
