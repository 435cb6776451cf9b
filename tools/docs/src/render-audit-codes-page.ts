import { auditCatalogue } from '@waybill/contracts/messages/audit-catalogue';
import { type GeneratedPage, markdownTable } from './generated-page.ts';

/** `docs/audit-codes.md`: everything that is audited. */
export function renderAuditCodesPage(): GeneratedPage {
  const rows = Object.values(auditCatalogue)
    .toSorted((a, b) => (a.code < b.code ? -1 : 1))
    .map(({ code, operation, clusterId, text }) => [`\`${code}\``, `\`${operation}\``, `\`${clusterId}\``, text]);
  return {
    path: 'docs/audit-codes.md',
    text: `# Audit codes

Everything that is audited. The words in braces stand for what the record is about. See [the audit record](audit.md).

${markdownTable(['auditCode', 'auditOperation', 'clusterId', 'auditMessage'], rows)}`,
  };
}
