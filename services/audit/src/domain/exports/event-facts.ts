import { auditCatalogue, type AuditedFact } from '@waybill/contracts/messages/audit-catalogue';
import type { LogRecord } from '../records/log-record.ts';
import type { WaitingNumbers } from '../records/producer-numbers.ts';

/** A verifier key, and the sizes of the tree that it signs. */
export interface KeyValidity {
  readonly key: string;
  readonly from: number;
  /** `null` for the key that signs now. */
  readonly to: number | null;
}

/** A checkpoint with its cosignatures, and the proof that the log of the export continues it. */
export interface CosignedProof {
  readonly checkpoint: string;
  /** Base64. */
  readonly proof: readonly string[];
}

/** What an export ends with: the checkpoint that covers its records, the keys of the log, and what witnesses cosigned. */
export interface ExportEnd {
  readonly checkpoint: string;
  readonly validity: readonly KeyValidity[];
  readonly cosigned: readonly CosignedProof[];
  /** Numbers of producers that are not recorded yet; absent unless the export has all records. */
  readonly waiting?: readonly WaitingNumbers[] | undefined;
  /** The filter of the export, as it was given; absent if it has all records. */
  readonly filter?: string | undefined;
}

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
