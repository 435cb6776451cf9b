import type { redactAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/redact-audit-records';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { Redactor } from '../domain/redaction/redact-records.ts';

/** Erases personal values of audit records. */
export function createRedactAuditRecordsHandler(ports: {
  redactor: Redactor;
}): EndpointHandler<typeof redactAuditRecordsEndpoint> {
  return async ({ body, principal }) => ({
    status: 200,
    body: await ports.redactor.redact(body, principal.userName),
  });
}
