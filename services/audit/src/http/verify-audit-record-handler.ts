import type { verifyAuditRecordEndpoint } from '@waybill/contracts/endpoints/audit-logs/verify-audit-record';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { Verifier } from '../domain/verification/verifier.ts';

/** Returns the result of a verification of the whole audit log. */
export function createVerifyAuditRecordHandler(ports: {
  verifier: Verifier;
}): EndpointHandler<typeof verifyAuditRecordEndpoint> {
  return async () => ({ status: 200, body: await ports.verifier.verify() });
}
