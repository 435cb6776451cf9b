import type { Client, Connection, Submittable } from 'pg';
import type { Queryable } from './database.ts';

/** The texts of the columns of a row. */
export type CopiedRow = readonly (string | null)[];

/** The pool behind a database; of a transaction it has one connection, which it keeps. */
interface ConnectionPool {
  acquireConnection(): Promise<Client>;
  releaseConnection(connection: Client): Promise<void>;
}

/**
 * Reads the rows of a query with COPY, which costs this process about a third of a statement whose rows have many columns.
 * Each value is its text. Do not pass user input in the query: COPY has no parameters.
 */
export async function readCopied(db: Queryable, query: string): Promise<CopiedRow[]> {
  if ('isCompleted' in db && db.isCompleted()) throw new Error('the transaction of the rows has ended');
  const pool = poolOf(db);
  const connection = await pool.acquireConnection();
  try {
    return await connection.query(new CopyOutQuery(`COPY (${query}) TO STDOUT`)).rows();
  } catch (error) {
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  } finally {
    void pool.releaseConnection(connection);
  }
}

/** A row in the text format of COPY, with its newline: https://www.postgresql.org/docs/18/sql-copy.html */
export function copiedRow(line: Buffer): CopiedRow {
  const fields: (string | null)[] = line.toString('utf8', 0, line.length - 1).split('\t');
  for (let at = 0; at < fields.length; at += 1) {
    const field = fields[at];
    if (field === '\\N') fields[at] = null;
    else if (typeof field === 'string' && field.includes('\\')) fields[at] = field.replaceAll(/\\(.)/gsu, unescaped);
  }
  return fields;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' };

function unescaped(_: string, character: string): string {
  return escapes[character] ?? character;
}

/** The COPY sub-protocol: https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-COPY */
class CopyOutQuery implements Submittable {
  readonly #sql: string;
  readonly #rows: CopiedRow[] = [];
  readonly #done = Promise.withResolvers<CopiedRow[]>();

  constructor(sql: string) {
    this.#sql = sql;
  }

  /** All of them, after the query was submitted. */
  rows(): Promise<CopiedRow[]> {
    return this.#done.promise;
  }

  readonly submit = (connection: Connection): void => {
    connection.query(this.#sql);
  };

  /** PostgreSQL sends each row in a message. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.#rows.push(copiedRow(chunk));
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#done.resolve(this.#rows);
  }

  handleError(error: unknown): void {
    this.#done.reject(error);
  }
}

function poolOf({ client }: { readonly client: ConnectionPool }): ConnectionPool {
  return client;
}
