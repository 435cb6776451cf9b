import { auditCatalogue, type AuditedFact } from '@waybill/contracts/messages/audit-catalogue';
import type { LogRecord } from '../records/log-record.ts';

const failures = [
  'managerLoginFailed',
  'passwordChangeFailed',
  'managerLoginsBanned',
  'jobFailed',
  'serverLoginFailed',
  'loginTurnedAway',
  'loginsBanned',
  'fileDamaged',
  'uploadRefused',
] as const satisfies readonly AuditedFact[];

const failureCodes: ReadonlySet<string> = new Set(failures.map((fact) => auditCatalogue[fact].code));

/** True for a record of an operation that failed or was refused. */
export function hasFailed({ auditCode, context }: Pick<LogRecord, 'auditCode' | 'context'>): boolean {
  return context.outcome === undefined ? failureCodes.has(auditCode) : context.outcome !== 'success';
}
