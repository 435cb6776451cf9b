import type { Client, Connection, Submittable } from 'pg';
import type { Transaction } from './database.ts';

/** A value of a column; `Buffer`s are for `bytea`. */
export type CopyValue = string | number | Buffer | null;

/** What `pg` has for COPY, and its types lack. */
type CopyConnection = Connection & {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
};

/** The pool behind a transaction: one connection, which it keeps. */
interface ConnectionPool {
  acquireConnection(): Promise<Client>;
  releaseConnection(connection: Client): Promise<void>;
}

/**
 * Adds rows to a table with COPY, which costs PostgreSQL and this process about half of an INSERT. The text is a list of
 * rows made by `copyLine`. Do not pass user input as table or columns: they are SQL.
 */
export async function copyRows(trx: Transaction, target: string, text: string): Promise<void> {
  if (trx.isCompleted()) throw new Error(`the transaction of the rows for ${target} has ended`);
  const pool = poolOf(trx);
  const connection = await pool.acquireConnection();
  try {
    await connection.query(new CopyQuery(`COPY ${target} FROM STDIN`, text)).done();
  } catch (error) {
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  } finally {
    void pool.releaseConnection(connection);
  }
}

/** One row in the text format of COPY, with its newline. */
export function copyLine(values: readonly CopyValue[]): string {
  let line = '';
  for (const value of values) {
    if (line !== '') line += '\t';
    line += copyText(value);
  }
  return `${line}\n`;
}

const special = /[\\\n\r\t\b\f\v]/u;
const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
};

function copyText(value: CopyValue): string {
  if (value === null) return '\\N';
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return `\\\\x${value.toString('hex')}`;
  return special.test(value)
    ? value.replaceAll(/[\\\n\r\t\b\f\v]/gu, (character) => escapes[character] ?? character)
    : value;
}

/** The COPY sub-protocol: https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-COPY */
class CopyQuery implements Submittable {
  readonly #sql: string;
  readonly #text: string;
  readonly #done = Promise.withResolvers<void>();

  constructor(sql: string, text: string) {
    this.#sql = sql;
    this.#text = text;
  }

  /** Settles when PostgreSQL has taken the rows. */
  done(): Promise<void> {
    return this.#done.promise;
  }

  readonly submit = (connection: Connection): void => {
    connection.query(this.#sql);
  };

  handleCopyInResponse(connection: CopyConnection): void {
    connection.stream.cork();
    connection.sendCopyFromChunk(Buffer.from(this.#text));
    connection.endCopyFrom();
    connection.stream.uncork();
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#done.resolve();
  }

  handleError(error: unknown): void {
    this.#done.reject(error);
  }
}

function poolOf({ client }: { readonly client: ConnectionPool }): ConnectionPool {
  return client;
}
