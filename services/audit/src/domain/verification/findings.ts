import type { AuditFinding } from '@waybill/contracts/endpoints/audit-logs/verify-audit-record';

/** Collects findings: the first ones in full, and the total number. */
export interface Findings {
  add(kind: AuditFinding['kind'], sequence: number, message: string): void;
  readonly first: readonly AuditFinding[];
  readonly count: number;
}

/** Creates an empty collection that keeps `limit` findings in full. */
export function createFindings(limit: number): Findings {
  const first: AuditFinding[] = [];
  let count = 0;
  return {
    add: (kind, sequence, message) => {
      count += 1;
      if (first.length < limit) first.push({ kind, sequence, message });
    },
    first,
    get count() {
      return count;
    },
  };
}
