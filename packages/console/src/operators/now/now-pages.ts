import type { ConsolePage } from '../frame/page.ts';
import { texts } from '../texts/texts.ts';

/** What happens now. */
export const nowPages: readonly ConsolePage[] = [
  {
    path: '/',
    label: texts.now.title,
    permissions: ['jobs:read', 'sessions:read', 'expectations:read', 'activity:read', 'configuration:read'],
    platformPermissions: ['queues:read', 'bans:read', 'health:read', 'audit:read'],
    load: async () => (await import('./now-page.tsx')).NowPage,
  },
];
