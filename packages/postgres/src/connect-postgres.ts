import { randomBytes } from 'node:crypto';
import knex, { type Knex } from 'knex';
import { declareConnections } from './connection-declaration.ts';
import type { Database, Queryable } from './database.ts';

/** The address and the use of PostgreSQL. */
export interface PostgresOptions {
  url: string;
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  /** Maximum number of connections; 10 by default. */
  poolSize?: number;
  /**
   * Connections that this process may open in total, declared to others by `application_name`: see
   * `assertConnectionBudget`.
   */
  declaredConnections?: number;
  /** A statement that runs longer is cancelled; 30 s by default. */
  statementTimeoutMs?: number;
}

/**
 * A pool of connections, opened when they are first needed; `destroy` closes it. `bigint` columns arrive as
 * strings, `timestamptz` as `Date`. A transaction that idles for a minute is ended, so that a stuck process holds
 * no lock forever.
 */
export function connectPostgres(options: PostgresOptions): Database {
  const { url, applicationName, poolSize = 10, declaredConnections, statementTimeoutMs = 30_000 } = options;
  const process = randomBytes(4).toString('hex');
  const db = knex({
    client: 'pg',
    connection: {
      connectionString: url,
      application_name:
        declaredConnections === undefined
          ? applicationName
          : declareConnections(applicationName, { process, connections: declaredConnections }),
      connectionTimeoutMillis: 5_000,
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: 60_000,
      keepAlive: true,
    },
    pool: { min: 0, max: poolSize },
    acquireConnectionTimeout: 10_000,
    log: silentLog,
  });
  applicationNames.set(settingsOf(db), applicationName);
  return db;
}

const applicationNames = new WeakMap<object, string>();

/** The `applicationName` of the pool, or of the pool of the transaction. */
export function applicationNameOf(on: Queryable): string {
  return applicationNames.get(settingsOf(on)) ?? '';
}

/** An object that a pool and its transactions have in common, and no other pool has. */
export function settingsOf({ client }: { readonly client: { readonly config: object } }): object {
  return client.config;
}

/** Knex also logs failures that it throws: the code that catches them decides what is logged. */
const silentLog: Knex.Logger = { debug: () => {}, warn: () => {}, error: () => {}, deprecate: () => {} };
