import type { ConsolePage } from '../frame/page.ts';
import { texts } from '../texts/texts.ts';

/** The audit log, one record, and the integrity of the log. */
export const auditPages: readonly ConsolePage[] = [
  {
    path: '/audit',
    label: texts.audit.title,
    permissions: [],
    platformPermissions: ['audit:read'],
    load: async () => (await import('./search/audit-page.tsx')).AuditPage,
  },
  {
    path: '/audit/$id',
    permissions: [],
    platformPermissions: ['audit:read'],
    load: async () => (await import('./record/record-page.tsx')).RecordPage,
  },
  {
    path: '/audit-integrity',
    section: '/audit',
    permissions: [],
    platformPermissions: ['audit:read'],
    load: async () => (await import('./log/integrity-page.tsx')).IntegrityPage,
  },
];
