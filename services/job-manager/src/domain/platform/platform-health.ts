import type { ReportedAudit } from '@waybill/contracts/messages/service-presence';
import type { ListedConnection } from '../connections/list-connection-health.ts';
import type { AnchorView, AuditBacklog } from './audit-finding.ts';
import type { PartReport } from './watched-part.ts';

/** How many client connections are in each state. */
export type ConnectionCounts = Readonly<Record<ListedConnection['state'], number>>;

/** The audit log, with what its services have reported. */
export interface AuditHealth {
  readonly report: PartReport<AuditBacklog>;
  readonly checkpoint: ReportedAudit['checkpoint'] | undefined;
  readonly anchors: readonly AnchorView[];
}

/** Counts the client connections that jobs may use. */
export function countConnections(listed: readonly ListedConnection[]): ConnectionCounts {
  const counts = { Working: 0, Failing: 0, Suspended: 0, Unused: 0 };
  for (const { connection, state } of listed) if (connection.enabled) counts[state] += 1;
  return counts;
}
