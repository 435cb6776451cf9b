/**
 * What a caller does in the transaction that changes a file, without a further round trip: an SQL expression that the
 * statement evaluates once, after the change. It may lock and write rows of the caller. An error that it raises undoes the
 * change, and is thrown by the call that changes the file. A job checks here that it still holds its lease, and notes what
 * it has done.
 */
export interface CompanionWrite {
  /** One name for one `sql`: part of the name of the prepared statement. */
  readonly name: string;
  /**
   * Reads the file from `changed`: `fileset` (bigint), `size` (bigint) and `sha256` (text, hexadecimal). Its parameters
   * are those of `bindings`, written as `:name`; their names are not those of the statement.
   */
  readonly sql: string;
  readonly bindings: Readonly<Record<string, unknown>>;
}

/**
 * The value of the expression for `file`, a row of `filebox.entries` in a statement that has changed it; null without a row.
 * It is evaluated after the rows of the file are locked: while the statement waits for them, it locks no row of the caller.
 */
export function companionSql({ sql }: Pick<CompanionWrite, 'sql'>, file: string): string {
  return `(
    SELECT ${sql}
    FROM (SELECT ${file}.id AS fileset, ${file}.size, encode(${file}.sha256, 'hex') AS sha256) AS changed
    WHERE changed.fileset IS NOT NULL
  )`;
}
