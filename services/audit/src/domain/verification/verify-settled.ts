import type { AuditVerification } from '@waybill/contracts/endpoints/audit-logs/verify-audit-record';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { LogSource } from './log-source.ts';

/** Each attempt has fewer records than the one before. */
const attemptsAtMost = 20;

/**
 * Verifies again if records were archived during a verification that has findings: what it missed may be what was archived.
 * A manipulation is found again, because a record must name each archive.
 * @throws CodedError `service_unavailable` while records are archived all the time
 */
export async function verifySettled(
  source: Pick<LogSource, 'readStart'>,
  verify: () => Promise<AuditVerification>,
): Promise<AuditVerification> {
  const readArchived = async (): Promise<number> => (await source.readStart())?.range.size ?? 0;
  for (let attempt = 0; attempt < attemptsAtMost; attempt += 1) {
    // Before the log is read, which may then be newer.
    const before = await readArchived();
    const outcome = await verify();
    if (outcome.intact || (await readArchived()) === before) return outcome;
  }
  throw new CodedError('service_unavailable', {
    detail: 'Records are being archived: verify the audit log again in a few minutes',
  });
}
