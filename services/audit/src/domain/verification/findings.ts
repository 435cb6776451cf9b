import type { AuditFinding } from '@waybill/contracts/endpoints/audit-logs/verify-audit-record';

/** Collects findings: the first ones in full, and the total number. */
export interface Findings {
  add(kind: AuditFinding['kind'], sequence: number, message: string): void;
  /** Adds the findings of a part: its first ones, and their total number. */
  addAll(found: readonly AuditFinding[], count: number): void;
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
    addAll: (found, added) => {
      count += added;
      first.push(...found.slice(0, Math.max(0, limit - first.length)));
    },
    first,
    get count() {
      return count;
    },
  };
}
