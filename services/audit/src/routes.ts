import { listAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/list-audit-records';
import { verifyAuditRecordEndpoint } from '@waybill/contracts/endpoints/audit-logs/verify-audit-record';
import { bindEndpoint } from '@waybill/http-kit/routing/bind-endpoint';
import type { Route } from '@waybill/http-kit/routing/route';
import type { RecordList } from './domain/log/record-log.ts';
import type { Verifier } from './domain/verification/verifier.ts';
import { createListAuditRecordsHandler, createVerifyAuditRecordHandler } from './http/audit-record-handlers.ts';

/** All endpoints of this service. */
export function createRoutes(parts: { records: RecordList; verifier: Verifier }): Route[] {
  return [
    bindEndpoint(listAuditRecordsEndpoint, createListAuditRecordsHandler(parts)),
    bindEndpoint(verifyAuditRecordEndpoint, createVerifyAuditRecordHandler(parts)),
  ];
}
