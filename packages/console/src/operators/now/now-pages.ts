import type { ConsolePage } from '../frame/page.ts';
import { texts } from '../texts/texts.ts';

/** What happens now. */
export const nowPages: readonly ConsolePage[] = [
  {
    path: '/',
    label: texts.now.title,
    permissions: ['jobs:read', 'queues:read', 'sessions:read', 'expectations:read', 'audit:read', 'configuration:read'],
    load: async () => (await import('./now-page.tsx')).NowPage,
  },
];
