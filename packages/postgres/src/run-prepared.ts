import type { Client, QueryResultRow } from 'pg';
import type { Queryable } from './database.ts';
import { PreparedQuery } from './prepared-query.ts';
import type { PreparedStatement } from './prepared-statement.ts';

/** The pool behind a database; of a transaction it has one connection, which it keeps. */
interface ConnectionPool {
  acquireConnection(): Promise<Client>;
  releaseConnection(connection: Client): Promise<void>;
}

/**
 * Runs a statement on a connection of the pool, or within a transaction, and returns its rows. It is like `raw`
 * with a name, but without the query builder, which takes as much processor time as everything else: for statements
 * that run for each file.
 */
export async function runPrepared<Row extends QueryResultRow>(
  db: Queryable,
  statement: PreparedStatement,
  bindings: Readonly<Record<string, unknown>>,
): Promise<Row[]> {
  if ('isCompleted' in db && db.isCompleted()) throw new Error(`the transaction of '${statement.name}' has ended`);
  const pool = poolOf(db);
  const connection = await pool.acquireConnection();
  try {
    // The row type is determined by the statement; its author declares it.
    return (await connection.query(new PreparedQuery(statement, bindings, connection)).rows()) as Row[];
  } catch (error) {
    // The stack of the caller is useful, not that of the reading code.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  } finally {
    // Resolves at once; a broken connection is discarded at its next use.
    void pool.releaseConnection(connection);
  }
}

function poolOf({ client }: { readonly client: ConnectionPool }): ConnectionPool {
  return client;
}
