import type { ConsolePage } from '../frame/page.ts';
import { texts } from '../texts/texts.ts';

/** The objects of the configuration, whole documents, drift, and the explanation of access. */
export const configurationPages: readonly ConsolePage[] = [
  {
    path: '/configuration',
    label: texts.configuration.title,
    permissions: ['configuration:read'],
    platformPermissions: ['identities:read'],
    load: async () => (await import('./overview-page.tsx')).OverviewPage,
  },
  {
    path: '/configuration/$collection',
    permissions: ['configuration:read'],
    platformPermissions: ['identities:read'],
    load: async () => (await import('./objects/collection-page.tsx')).CollectionPage,
  },
  {
    path: '/configuration/$collection/$name',
    permissions: ['configuration:read'],
    platformPermissions: ['identities:read'],
    load: async () => (await import('./objects/object-page.tsx')).ObjectPage,
  },
  {
    path: '/configuration-document',
    section: '/configuration',
    permissions: [],
    platformPermissions: ['configuration:write'],
    load: async () => (await import('./documents/document-page.tsx')).DocumentPage,
  },
  {
    path: '/configuration-drift',
    section: '/configuration',
    permissions: [],
    platformPermissions: ['identities:read'],
    load: async () => (await import('./documents/drift-page.tsx')).DriftPage,
  },
  {
    path: '/partners/$name',
    section: '/configuration',
    permissions: ['configuration:read'],
    load: async () => (await import('./partners/partner-page.tsx')).PartnerPage,
  },
  {
    path: '/new-partner',
    section: '/configuration',
    permissions: [],
    platformPermissions: ['configuration:write'],
    load: async () => (await import('./partners/new-partner-page.tsx')).NewPartnerPage,
  },
  {
    path: '/secrets',
    section: '/configuration',
    permissions: ['configuration:read'],
    load: async () => (await import('./secrets/secrets-page.tsx')).SecretsPage,
  },
  {
    path: '/expiries',
    section: '/configuration',
    permissions: ['configuration:read'],
    load: async () => (await import('./secrets/expiries-page.tsx')).ExpiriesPage,
  },
  {
    path: '/access',
    label: texts.configuration.access,
    permissions: ['configuration:read'],
    load: async () => (await import('./access/access-page.tsx')).AccessPage,
  },
];
