import type {
  PlatformHealthView,
  readPlatformHealthEndpoint,
} from '@waybill/contracts/endpoints/platform/read-platform-health';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { PlatformHealth, PlatformHealthWatch } from '../../adapters/platform/watch-platform-health.ts';
import type { AuditHealth } from '../../domain/platform/platform-health.ts';
import { type PartReport, worstOf } from '../../domain/platform/watched-part.ts';

/** How the platform does. */
export function createReadPlatformHealthHandler(parts: {
  readonly platformHealth: Pick<PlatformHealthWatch, 'read'>;
  readonly nodeName: string;
}): EndpointHandler<typeof readPlatformHealthEndpoint> {
  return async () => ({ status: 200, body: present(await parts.platformHealth.read(), parts.nodeName) });
}

function present(health: PlatformHealth, answeredBy: string): PlatformHealthView {
  const { services, database, redis, stores, connections, audit } = health;
  const reports = [services, database, redis, connections, audit.report, ...stores.map(({ report }) => report)];
  const worst = worstOf(reports.map(({ state }) => state));
  const counts = connections.details;
  return {
    state: worst === 'unknown' ? 'degraded' : worst,
    answeredBy,
    at: new Date().toISOString(),
    services: { ...presentPart(services), processes: presentProcesses(services) },
    database: { ...presentPart(database), details: database.details ?? null },
    redis: { ...presentPart(redis), details: redis.details ?? null },
    stores: stores.map(({ name, type, report }) => ({
      name,
      type,
      ...presentPart(report),
      freeBytes: report.details?.freeBytes ?? null,
      totalBytes: report.details?.totalBytes ?? null,
    })),
    connections: {
      ...presentPart(connections),
      working: counts?.Working ?? 0,
      failing: counts?.Failing ?? 0,
      suspended: counts?.Suspended ?? 0,
      unused: counts?.Unused ?? 0,
    },
    audit: presentAudit(audit),
  };
}

function presentPart({ state, since, checkedAt, milliseconds, reason }: PartReport<unknown>) {
  return {
    state,
    since: since.toISOString(),
    checkedAt: checkedAt?.toISOString() ?? null,
    milliseconds: milliseconds === undefined ? null : Math.round(milliseconds * 10) / 10,
    reason: reason ?? null,
  };
}

/** While Redis does not answer, the last reports are shown, which grow older. */
function presentProcesses({
  details = [],
  state,
  checkedAt,
}: PlatformHealth['services']): PlatformHealthView['services']['processes'] {
  const sinceMs = state === 'down' && checkedAt !== undefined ? Date.now() - checkedAt.getTime() : 0;
  return details.map(({ service, node, role = null, startedAt, failing, ageMs, isSilent }) => ({
    service,
    node,
    role,
    state: isSilent ? 'silent' : stateOf(failing),
    failing: [...failing],
    startedAt,
    reportedSecondsAgo: Math.round((ageMs + sinceMs) / 100) / 10,
  }));
}

function stateOf(failing: readonly string[]): 'ready' | 'not ready' {
  return failing.length === 0 ? 'ready' : 'not ready';
}

function presentAudit({ report, checkpoint, anchors }: AuditHealth): PlatformHealthView['audit'] {
  return {
    ...presentPart(report),
    waiting: report.details?.waiting ?? null,
    oldestWaitingSeconds: report.details?.oldestSeconds ?? null,
    setAside: report.details?.setAside ?? null,
    checkpoint: checkpoint ? { records: checkpoint.records, signedAt: checkpoint.signedAt ?? null } : null,
    anchors: anchors.map(({ anchor, state, lagSeconds }) => ({
      name: anchor.name,
      kind: anchor.kind,
      state,
      since: anchor.failingSince ?? (state === 'up' ? null : (anchor.behindSince ?? null)),
      records: anchor.records,
      lagSeconds: Math.round(lagSeconds * 10) / 10,
    })),
  };
}
