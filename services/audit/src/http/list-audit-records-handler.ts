import type { listAuditRecordsEndpoint } from '@waybill/contracts/endpoints/audit-logs/list-audit-records';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { RecordList } from '../domain/log/record-list.ts';

/** Handles C1. */
export function createListAuditRecordsHandler(ports: {
  records: RecordList;
}): EndpointHandler<typeof listAuditRecordsEndpoint> {
  return async ({ query }) => ({ status: 200, body: await ports.records.list(query) });
}
