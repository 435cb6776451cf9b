import type { ConsolePage } from '../frame/page.ts';
import { texts } from '../texts/texts.ts';

/** The objects of the configuration, whole documents, drift, and the explanation of access. */
export const configurationPages: readonly ConsolePage[] = [
  {
    path: '/configuration',
    label: texts.configuration.title,
    permissions: ['configuration:read', 'identities:read'],
    load: async () => (await import('./overview-page.tsx')).OverviewPage,
  },
  {
    path: '/configuration/$collection',
    permissions: ['configuration:read', 'identities:read'],
    load: async () => (await import('./objects/collection-page.tsx')).CollectionPage,
  },
  {
    path: '/configuration/$collection/$name',
    permissions: ['configuration:read', 'identities:read'],
    load: async () => (await import('./objects/object-page.tsx')).ObjectPage,
  },
  {
    path: '/configuration-document',
    permissions: ['configuration:write'],
    load: async () => (await import('./documents/document-page.tsx')).DocumentPage,
  },
  {
    path: '/configuration-drift',
    permissions: ['identities:read'],
    load: async () => (await import('./documents/drift-page.tsx')).DriftPage,
  },
  {
    path: '/access',
    label: texts.configuration.access,
    permissions: ['configuration:read'],
    load: async () => (await import('./access/access-page.tsx')).AccessPage,
  },
];
