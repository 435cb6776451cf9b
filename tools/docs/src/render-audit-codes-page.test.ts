import { auditCatalogue } from '@waybill/contracts/messages/audit-catalogue';
import { describe, expect, it } from 'vitest';
import { renderAuditCodesPage } from './render-audit-codes-page.ts';

describe('the page of the audit codes', () => {
  it('documents everything that is audited, each code once', () => {
    const documented = [...renderAuditCodesPage().text.matchAll(/^\| `(AUD\d{4}A)` \|/gmu)].map((match) => match[1]);
    const codes: readonly string[] = Object.values(auditCatalogue).map(({ code }) => code);
    expect(documented).toEqual(codes.toSorted());
    expect(new Set(codes).size).toBe(codes.length);
  });
});
