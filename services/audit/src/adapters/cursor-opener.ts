import type { Transaction } from '@waybill/postgres/database';

/** Rows of a query that are read in batches, each one ahead of its use. */
export interface CursorOptions {
  trx: Transaction;
  name: 'records' | 'digests';
  sql: string;
  batchSize: number;
  /** Ends the reading with this reason. */
  signal: AbortSignal;
}

/**
 * Opens cursors of one transaction. While a batch is processed, PostgreSQL prepares the next one. A connection runs
 * one statement at a time: the cursors alternate.
 */
export function createCursorOpener() {
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work);
    // The caller that awaits the result gets its error; the next cursor does not need it.
    turn = result.catch(() => {});
    return result;
  };
  return async function* open<Row>({ trx, name, sql, batchSize, signal }: CursorOptions): AsyncGenerator<Row[]> {
    const fetch = () => inTurn(async () => trx.raw<{ rows: Row[] }>(`FETCH ${batchSize} FROM ${name}`));
    await inTurn(async () => {
      await trx.raw(`DECLARE ${name} NO SCROLL CURSOR FOR ${sql}`);
    });
    for (let next = fetch(); ;) {
      const { rows } = await next;
      signal.throwIfAborted();
      if (rows.length === 0) return;
      next = fetch();
      yield rows;
    }
  };
}
