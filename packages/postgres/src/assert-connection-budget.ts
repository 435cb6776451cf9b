import { setTimeout as sleep } from 'node:timers/promises';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { declarationOf, listenerPrefix } from './connection-declaration.ts';
import type { Database } from './database.ts';

/** The connections that all processes of a service need together. */
export interface ConnectionNeed {
  /** `DATABASE_POOL_SIZE`. */
  readonly poolSize: number;
  /** The number of processes with such a pool. */
  readonly processes: number;
  /** Connections beside the pools. */
  readonly listeners: number;
}

/** The allocation of the connections of a PostgreSQL server, including those of the service. */
export interface ConnectionBudget {
  /** Connections of this service. */
  readonly needed: number;
  /** Connections that other processes of Waybill have declared, and open connections of other programs. */
  readonly others: number;
  /** Connections available to users who are not superusers. */
  readonly available: number;
}

interface Limits {
  own: string;
  most: number;
  reserved: number;
  others: { name: string; connections: number }[];
}

/** Processes that are being replaced need some time to exit. */
const patienceMs = 5_000;
const lookAgainMs = 250;

/**
 * Checks that PostgreSQL has the connections that a service may open, in addition to those that others have
 * declared or opened. Returns the allocation. @throws CodedError `configuration_invalid` with one sentence that has
 * the figures
 */
export async function assertConnectionBudget(
  db: Database,
  need: ConnectionNeed,
  options: { patienceMs?: number } = {},
): Promise<ConnectionBudget> {
  const giveUpAtMs = Date.now() + (options.patienceMs ?? patienceMs);
  for (;;) {
    const limits = await readLimits(db);
    const budget = budgetOf(need, limits);
    if (budget.needed + budget.others <= budget.available) return budget;
    if (Date.now() >= giveUpAtMs) throw beyondBudget(need, budget, limits);
    await sleep(lookAgainMs);
  }
}

/** The connections of one service. */
export function connectionsOf({ poolSize, processes, listeners }: ConnectionNeed): number {
  return poolSize * processes + listeners;
}

function budgetOf(need: ConnectionNeed, { own, most, reserved, others }: Limits): ConnectionBudget {
  const declared = new Map<string, number>();
  let open = 0;
  for (const { name, connections } of others) {
    const declaration = declarationOf(name);
    if (declaration !== undefined) declared.set(declaration.process, declaration.connections);
    else if (!name.startsWith(listenerPrefix)) open += connections;
  }
  declared.delete(declarationOf(own)?.process ?? '');
  const sum = [...declared.values()].reduce((total, connections) => total + connections, open);
  return { needed: connectionsOf(need), others: sum, available: most - reserved };
}

function beyondBudget(
  need: ConnectionNeed,
  { needed, others, available }: ConnectionBudget,
  { most, reserved }: Limits,
) {
  const pools = need.processes === 1 ? 'one process' : `${need.processes} processes`;
  return new CodedError('configuration_invalid', {
    detail:
      `DATABASE_POOL_SIZE=${need.poolSize} in ${pools} takes up to ${needed} database connections, and others take ${others} of the ` +
      `${available} available ones (max_connections ${most}, ${reserved} reserved): lower it, or raise max_connections`,
  });
}

async function readLimits(db: Database): Promise<Limits> {
  const { rows } = await db.raw<{ rows: Limits[] }>(
    `SELECT current_setting('application_name') AS own, current_setting('max_connections')::int AS most,
       current_setting('superuser_reserved_connections')::int
         + coalesce(current_setting('reserved_connections', true), '0')::int AS reserved,
       coalesce((SELECT jsonb_agg(jsonb_build_object('name', name, 'connections', connections)) FROM (
         SELECT coalesce(application_name, '') AS name, count(*) AS connections FROM pg_stat_activity
         WHERE usesysid IS NOT NULL AND datid IS NOT NULL AND pid <> pg_backend_pid() GROUP BY 1) AS other), '[]') AS others`,
  );
  const [limits] = rows;
  if (limits === undefined) throw new Error('PostgreSQL returned no limits');
  return limits;
}
