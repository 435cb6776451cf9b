import { Readable } from 'node:stream';
import type { Principal } from '@waybill/access/principal';
import type { AuditedCircumstances, AuditedFact } from '@waybill/contracts/messages/audit-catalogue';
import { currentClient } from '@waybill/service-kit/telemetry/correlation';
import type { WriterIdentity } from '../domain/log/log-events.ts';

/** Where readings are recorded: a `RefusalBook`, which also bounds their number. */
export interface ReadBook {
  note(reading: { subject: string; fact: AuditedFact; circumstances: AuditedCircumstances }): Promise<void>;
}

type ReadFact = Extract<AuditedFact, 'auditLogRead' | 'auditLogExported' | 'auditLogVerified'>;

/** What a reading is, as `describeRead` says, and how it has ended if there is more than one way. */
export interface DescribedRead {
  readonly endpoint: string;
  readonly request: string;
  readonly outcome?: string;
}

/** Returns a handler that records each reading after it succeeded and before its response is sent. */
export type RecordReads = <Q extends { readonly principal: Principal }, R>(
  fact: ReadFact,
  handler: (request: Q) => Promise<R>,
  describe: (request: NoInfer<Q>, response: NoInfer<R>) => DescribedRead | undefined,
) => (request: Q) => Promise<R>;

/**
 * Records who has read the audit log. Of one user the first ten different readings of a minute are recorded, and one summary
 * has the number of the others, so that reading the log does not fill it.
 */
export function recordReads(book: ReadBook, identity: WriterIdentity): RecordReads {
  return (fact, handler, describe) => async (request) => {
    const response = await handler(request);
    const read = describe(request, response);
    const user = request.principal.userName;
    if (read !== undefined) {
      const { endpoint, request: text, outcome } = read;
      const place = { ...identity, user, entityType: 'Audit log', entityName: text, entityId: endpoint };
      const circumstances = { ...place, names: { request: text }, context: { ...currentClient(), outcome } };
      await book.note({ subject: user, fact, circumstances }).catch((error: unknown) => {
        // Nothing will read it: it would count as open for ever.
        if (isStreamed(response)) response.body.destroy();
        throw error;
      });
    }
    return response;
  };
}

function isStreamed(response: unknown): response is { readonly body: Readable } {
  return typeof response === 'object' && response !== null && 'body' in response && response.body instanceof Readable;
}
