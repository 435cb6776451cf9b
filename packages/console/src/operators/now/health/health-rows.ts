import type { PlatformHealthView } from '@waybill/contracts/endpoints/platform/read-platform-health';
import { formatBytes } from '../../../page-kit/format/format-bytes.ts';
import { formatTime } from '../../../page-kit/format/format-time.ts';
import { texts } from '../../texts/texts.ts';

const { health: words } = texts;

/** A part of the platform, and how it does. */
export interface HealthRow {
  readonly key: string;
  readonly name: string;
  readonly state: PlatformHealthView['state'];
  readonly since: string | null;
  /** Why it is not up, then its figures. */
  readonly details: readonly string[];
}

type Part = Pick<PlatformHealthView['database'], 'state' | 'since' | 'reason'>;

/** A row for each part, and for each process, store and anchor. */
export function healthRowsOf(health: PlatformHealthView): HealthRow[] {
  const { services, database, redis, stores, connections, audit } = health;
  return [
    rowOf(words.services, services, []),
    ...services.processes.map(processRow),
    rowOf(words.database, database, databaseFacts(database.details)),
    rowOf(words.redis, redis, redisFacts(redis.details)),
    ...stores.map(({ name, type, freeBytes, totalBytes, ...part }) => {
      const isMeasured = freeBytes !== null && totalBytes !== null;
      const space = isMeasured ? words.space(formatBytes(freeBytes), formatBytes(totalBytes)) : words.storeType[type];
      return rowOf(words.store(name), part, [space]);
    }),
    rowOf(words.connections, connections, [words.connectionCounts(connections)]),
    rowOf(words.audit, audit, auditFacts(audit)),
    ...audit.anchors.map(({ name, kind, state, since, records, lagSeconds }) => ({
      key: `anchor ${name}`,
      name: kind === 'witness' ? words.witness(name) : words.anchor(name),
      state,
      since,
      details: [words.anchored(records, Math.round(lagSeconds))],
    })),
  ];
}

function rowOf(name: string, { state, since, reason }: Part, facts: readonly string[]): HealthRow {
  return { key: name, name, state, since, details: [...(reason === null ? [] : [reason]), ...facts] };
}

function processRow(process: PlatformHealthView['services']['processes'][number], index: number): HealthRow {
  const { service, node, role, state, failing, startedAt, reportedSecondsAgo } = process;
  const kind = role === null || role === 'all' ? service : `${service} (${role})`;
  const silence = state === 'silent' ? [words.silent(Math.round(reportedSecondsAgo))] : failing.map(words.failing);
  const isReady = state === 'ready';
  return {
    key: `process ${index} ${startedAt}`,
    name: words.process(kind, node),
    state: isReady ? 'up' : 'down',
    since: isReady ? startedAt : null,
    details: silence,
  };
}

function databaseFacts(details: PlatformHealthView['database']['details']): string[] {
  if (details === null) return [];
  const { version, role, replicas, connections, connectionsAtMost, oldestTransactionSeconds } = details;
  const oldest =
    oldestTransactionSeconds === null ? [] : [words.oldestTransaction(Math.round(oldestTransactionSeconds))];
  return [
    words.databaseRole[role](version),
    words.replicas(replicas),
    words.openConnections(connections, connectionsAtMost),
    ...oldest,
  ];
}

function redisFacts(details: PlatformHealthView['redis']['details']): string[] {
  if (details === null) return [];
  const { version, usedBytes, limitBytes, persistence } = details;
  const memory =
    limitBytes === 0 ? formatBytes(usedBytes) : words.memoryOf(formatBytes(usedBytes), formatBytes(limitBytes));
  return [version, memory, words.persistence[persistence]];
}

function auditFacts({ waiting, oldestWaitingSeconds, checkpoint, anchors }: PlatformHealthView['audit']): string[] {
  const backlog = waiting === null ? [] : [words.waiting(waiting, Math.round(oldestWaitingSeconds ?? 0))];
  // Without a report of an audit service, anchors are not known either.
  if (checkpoint === null) return backlog;
  const { records, signedAt } = checkpoint;
  return [
    ...backlog,
    words.signed(records),
    ...(signedAt === null ? [] : [words.signedAt(formatTime(signedAt))]),
    ...(anchors.length === 0 ? [words.noAnchor] : []),
  ];
}
