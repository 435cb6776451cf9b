import type { Connection, FieldDef, Submittable } from 'pg';
import { parameterText } from './parameter-text.ts';
import type { PreparedStatement } from './prepared-statement.ts';

/** How a connection reads values, by the ids of their types. */
export interface TypeParsers {
  getTypeParser(typeId: number, format: 'text'): (text: string) => unknown;
}

type Row = Record<string, unknown>;

/** Builds a row from the values that PostgreSQL sent. */
type RowReader = (values: readonly (string | null)[]) => Row;

/** The row formats of the prepared statements of a connection, by their names. */
const readersOf = new WeakMap<Connection, Map<string, RowReader>>();

/**
 * One run of a prepared statement, in place of a query of `pg`, which calls the handlers (the extended query
 * protocol: https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY). The row format is
 * requested once on each connection; `pg` requests it, and prepares parsers, each time. If the row format of a plan
 * changes later, PostgreSQL refuses it.
 */
export class PreparedQuery implements Submittable {
  readonly #statement: PreparedStatement;
  readonly #values: (string | Buffer | null)[];
  readonly #types: TypeParsers;
  readonly #done = Promise.withResolvers<Row[]>();
  readonly #rows: Row[] = [];
  #readers = new Map<string, RowReader>();
  #read: RowReader | undefined;

  constructor(statement: PreparedStatement, bindings: Readonly<Record<string, unknown>>, types: TypeParsers) {
    this.#statement = statement;
    this.#values = statement.parameters.map((parameter) => parameterText(bindings[parameter]));
    this.#types = types;
  }

  /** Its rows, after it was submitted. */
  rows(): Promise<Row[]> {
    return this.#done.promise;
  }

  readonly submit = (connection: Connection): void => {
    const { name, text } = this.#statement;
    this.#readers = readersOn(connection);
    this.#read = this.#readers.get(name);
    // In one write.
    connection.stream.cork();
    if (!this.#read) {
      // The statement may exist from a first run that failed; closing a missing one is not an error.
      connection.close({ type: 'S', name }, false);
      connection.parse({ name, text, types: [] }, false);
      connection.describe({ type: 'S', name }, false);
    }
    connection.bind({ statement: name, values: this.#values }, false);
    connection.execute(null, false);
    connection.sync();
    connection.stream.uncork();
  };

  handleRowDescription({ fields }: { fields: readonly FieldDef[] }): void {
    this.#learn(rowReader(fields, this.#types));
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this.#read) this.#rows.push(this.#read(fields));
  }

  handleCommandComplete(): void {
    // There were no rows to describe.
    if (!this.#read) this.#learn(() => ({}));
  }

  handleReadyForQuery(): void {
    this.#done.resolve(this.#rows);
  }

  handleError(error: unknown): void {
    this.#done.reject(error);
  }

  #learn(reader: RowReader): void {
    this.#read = reader;
    this.#readers.set(this.#statement.name, reader);
  }
}

function readersOn(connection: Connection): Map<string, RowReader> {
  let readers = readersOf.get(connection);
  if (!readers) readersOf.set(connection, (readers = new Map<string, RowReader>()));
  return readers;
}

function rowReader(fields: readonly FieldDef[], types: TypeParsers): RowReader {
  const columns = fields.map(({ name, dataTypeID }) => ({ name, parse: types.getTypeParser(dataTypeID, 'text') }));
  const empty: Row = Object.fromEntries(columns.map(({ name }) => [name, null]));
  return (values) => {
    const row = { ...empty };
    columns.forEach(({ name, parse }, index) => {
      const value = values[index];
      if (value !== null && value !== undefined) row[name] = parse(value);
    });
    return row;
  };
}
