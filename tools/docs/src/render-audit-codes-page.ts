import { auditCatalogue } from '@waybill/contracts/messages/audit-catalogue';
import { type GeneratedPage, markdownTable } from './generated-page.ts';

/** `docs/audit-codes.md`: all audited events. */
export function renderAuditCodesPage(): GeneratedPage {
  const rows = Object.values(auditCatalogue)
    .toSorted((a, b) => (a.code < b.code ? -1 : 1))
    .map(({ code, operation, clusterId, text }) => [`\`${code}\``, `\`${operation}\``, `\`${clusterId}\``, text]);
  return {
    path: 'docs/audit-codes.md',
    text: `# Audit codes

All audited events. The words in braces are replaced by the names of the affected objects. See [the audit log](audit.md).

${markdownTable(['auditCode', 'auditOperation', 'clusterId', 'auditMessage'], rows)}`,
  };
}
