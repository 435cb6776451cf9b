import type { countAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/count-audit-records';
import type { listAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/list-audit-records';
import type { verifyAuditRecordEndpoint } from '@waybill/contracts/endpoints/audit-logs/verify-audit-record';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { RecordList } from '../domain/log/record-log.ts';
import type { Verifier } from '../domain/verification/verifier.ts';
import type { ReadTurns } from './read-turns.ts';

/** Handles C1. */
export function createListAuditRecordsHandler(ports: {
  records: RecordList;
  turns: ReadTurns;
}): EndpointHandler<typeof listAuditRecordsEndpoint> {
  return async ({ query, principal }) => {
    const [{ records, nextCursor }, total] = await ports.turns(principal.userName, async () => [
      await ports.records.list(query),
      query.total === 'true' ? await ports.records.count(query.q) : undefined,
    ]);
    return {
      status: 200,
      body: [...records],
      headers: {
        ...(nextCursor !== undefined && { 'X-Next-Cursor': nextCursor }),
        ...(total !== undefined && { 'X-Total-Count': String(total) }),
      },
    };
  };
}

/** Returns numbers of records over time. */
export function createCountAuditRecordsHandler(ports: {
  records: RecordList;
  turns: ReadTurns;
}): EndpointHandler<typeof countAuditRecordsEndpoint> {
  return async ({ query, principal }) => ({
    status: 200,
    body: await ports.turns(principal.userName, () => ports.records.countOverTime(query)),
  });
}

/** Returns the result of a verification of the whole audit log. */
export function createVerifyAuditRecordHandler(ports: {
  verifier: Verifier;
}): EndpointHandler<typeof verifyAuditRecordEndpoint> {
  return async () => ({ status: 200, body: await ports.verifier.verify() });
}
