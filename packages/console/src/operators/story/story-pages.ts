import type { ConsolePage } from '../frame/page.ts';
import { texts } from '../texts/texts.ts';

/** The search for a file, and everything that has happened to one. */
export const storyPages: readonly ConsolePage[] = [
  {
    path: '/files',
    label: texts.story.label,
    permissions: ['activity:read'],
    platformPermissions: ['audit:read'],
    load: async () => (await import('./file-search-page.tsx')).FileSearchPage,
  },
  {
    path: '/files/$dfiid',
    permissions: ['activity:read'],
    platformPermissions: ['audit:read'],
    load: async () => (await import('./story-page.tsx')).StoryPage,
  },
];
