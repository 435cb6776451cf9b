import type { ConsolePage } from '../frame/page.ts';
import { texts } from '../texts/texts.ts';

/** What waits for the decision of a person. */
export const approvalPages: readonly ConsolePage[] = [
  {
    path: '/approvals',
    label: texts.approvals.title,
    permissions: ['approvals:run'],
    load: async () => (await import('./approvals-page.tsx')).ApprovalsPage,
  },
];
