import {
  type PlatformHealthView,
  readPlatformHealthEndpoint,
} from '@waybill/contracts/endpoints/platform/read-platform-health';
import type { PlatformClient } from '@waybill/platform-client/create-client';
import { isPlatformError } from '@waybill/platform-client/platform-error';
import { sizeText } from '../../platform/progress-bar.ts';

/** A part of the platform, and how it does. */
export interface HealthRow {
  readonly part: string;
  readonly state: PlatformHealthView['state'];
  readonly milliseconds: number | null;
  /** Since when the state is seen. */
  readonly since: string | null;
  readonly detail: string;
}

type Part = Pick<PlatformHealthView['database'], 'state' | 'since' | 'milliseconds' | 'reason'>;

/** How the platform says that its parts do; empty if it cannot be asked, or the caller may not ask. */
export async function readHealthRows({ call }: PlatformClient): Promise<HealthRow[]> {
  try {
    return rowsOf((await call(readPlatformHealthEndpoint)).body);
  } catch (error) {
    // Partners' addresses, older platforms, and roles without the permission; the services themselves are asked as well.
    if (isPlatformError(error)) return [];
    throw error;
  }
}

function rowsOf(health: PlatformHealthView): HealthRow[] {
  const { services, database, redis, stores, connections, audit } = health;
  const row = (part: string, report: Part, facts: string): HealthRow => {
    const { state, since, milliseconds, reason } = report;
    return { part, state, since, milliseconds, detail: [reason ?? '', facts].filter((text) => text !== '').join('; ') };
  };
  return [
    row('services', services, ''),
    ...services.processes.map(processRow),
    row('postgresql', database, databaseText(database.details)),
    row('redis', redis, redisText(redis.details)),
    ...stores.map(({ name, type, freeBytes, totalBytes, ...report }) => {
      const space =
        freeBytes === null || totalBytes === null ? type : `${sizeText(freeBytes)} of ${sizeText(totalBytes)} free`;
      return row(`store ${name}`, report, space);
    }),
    row(
      'connections',
      connections,
      `${connections.working} working, ${connections.failing} failing, ${connections.suspended} suspended`,
    ),
    row('audit log', audit, auditText(audit)),
    ...audit.anchors.map(({ name, kind, state, since, records, lagSeconds }) => ({
      part: `${kind === 'witness' ? 'witness' : 'anchor'} ${name}`,
      state,
      since,
      milliseconds: null,
      detail: `${records} records, ${Math.round(lagSeconds)} s behind`,
    })),
  ];
}

function processRow(process: PlatformHealthView['services']['processes'][number]): HealthRow {
  const { service, node, role, state, failing, reportedSecondsAgo } = process;
  const kind = role === null || role === 'all' ? service : `${service} (${role})`;
  const detail = state === 'silent' ? `no report for ${Math.round(reportedSecondsAgo)} s` : failing.join(', ');
  const shown = state === 'ready' ? 'up' : 'down';
  return { part: `${kind} on ${node}`, state: shown, since: null, milliseconds: null, detail };
}

function databaseText(details: PlatformHealthView['database']['details']): string {
  if (details === null) return '';
  const { version, role, replicas, connections, connectionsAtMost } = details;
  return `${version}, ${role}, ${replicas} standbys, ${connections} of ${connectionsAtMost} connections`;
}

function redisText(details: PlatformHealthView['redis']['details']): string {
  return details === null ? '' : `${details.version}, ${sizeText(details.usedBytes)}, ${details.persistence}`;
}

function auditText({ waiting, oldestWaitingSeconds, checkpoint }: PlatformHealthView['audit']): string {
  const backlog =
    waiting === null
      ? ''
      : `${waiting} event${waiting === 1 ? '' : 's'} not recorded yet, the oldest for ${Math.round(oldestWaitingSeconds ?? 0)} s`;
  return [backlog, checkpoint ? `${checkpoint.records} records signed` : ''].filter((text) => text !== '').join('; ');
}
