import type { AuditListQuery } from '@waybill/contracts/endpoints/audit-logs/list-audit-records';
import type { AuditRecord } from '@waybill/contracts/values/audit-record';

/** Where records are looked up. */
export interface RecordList {
  /** The records of one page. */
  list(query: AuditListQuery): Promise<AuditRecord[]>;
}
