import { type AuditedFact, composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { withCurrentClient } from '@waybill/outbox/append-messages';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Transaction } from '@waybill/postgres/database';
import type { JobSite } from '../../config.ts';
import type { ExpectationState } from '../../domain/expectations/expectation-state.ts';

/** What is audited of expectations. */
export type ExpectationFact = Extract<AuditedFact, `expectation${string}` | 'unexpectedFiles'>;

/** Audits what has come of an expectation, as part of the transaction in which it happens. */
export async function auditExpectation(
  trx: Transaction,
  site: JobSite,
  fact: ExpectationFact,
  state: Pick<ExpectationState, 'contract' | 'expectation' | 'dueAt'> & { readonly id: number | string },
  {
    user,
    ...names
  }: { user: string; path?: string; outcome?: string; reason?: string; files?: string; expected?: string },
): Promise<void> {
  const payload = composeAuditEvent(fact, {
    user,
    nodeId: site.nodeName,
    managerName: site.managerName,
    entityType: 'Expectation',
    entityName: `${state.contract}/${state.expectation}`,
    entityId: String(state.id),
    names: { due: state.dueAt.toISOString(), path: '', outcome: '', reason: '', files: '', expected: '', ...names },
    context: { reason: names.reason },
  });
  await appendToOutbox(trx, [{ topic: 'audit-event', payload: withCurrentClient(payload) }]);
}
