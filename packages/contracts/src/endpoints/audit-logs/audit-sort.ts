import { z } from 'zod';
import { type AuditSortField, auditSortFields } from './audit-fields.ts';

/** One sort key; the first key takes precedence. */
export interface AuditSortKey {
  readonly field: AuditSortField;
  readonly direction: 'asc' | 'desc';
}

const keyPattern = /^(?<sign>[+ -]?)(?<field>[A-Za-z]+)$/u;

/**
 * Reads `sort` of the audit log query: `+field` or `-field`, several joined by `,`. A literal `+` in a URL query means
 * a space, so a space is read as `+`; a missing sign is too.
 */
export const auditSortSchema = z.string().transform((text, context): AuditSortKey[] => {
  const keys = new Map<string, AuditSortKey>();
  for (const part of text.split(',')) {
    const { sign, field = '' } = keyPattern.exec(part)?.groups ?? {};
    if (!isSortField(field)) {
      const message = `"${part}" is not "+" or "-" and one of ${auditSortFields.join(', ')}`;
      context.addIssue({ code: 'custom', message });
    } else if (keys.has(field)) {
      context.addIssue({ code: 'custom', message: `${field} is given twice` });
    } else {
      keys.set(field, { field, direction: sign === '-' ? 'desc' : 'asc' });
    }
  }
  return [...keys.values()];
});

function isSortField(field: string): field is AuditSortField {
  return (auditSortFields as readonly string[]).includes(field);
}
